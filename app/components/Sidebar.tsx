import { useEffect, useRef } from 'react';
import type { Role, Shell } from '../domain/accounts/accounts';
import { mostUnread } from '../domain/messages/messages';

// React 18 has no types for popovers. The browser opens and closes the drawer by these attributes.
const drawer = { id: 'menu', popover: 'auto' };
const opens = { popovertarget: 'menu' };
const closes = { popovertarget: 'menu', popovertargetaction: 'hide' };

/** The button in the header that opens the drawer, on screens where the sidebar is hidden. */
export function MenuButton() {
  return (
    <button
      type="button"
      {...opens}
      className="drawer-button flex min-h-11 shrink-0 items-center gap-2 rounded-md border border-on-cover/40 px-3 text-sm font-semibold wide:hidden"
    >
      <span aria-hidden="true" className="bars" />
      Menu
    </button>
  );
}

type Item = [to: string, words: string];
type Group = [title: string, items: Item[]];

const account: Group = [
  'Account',
  [
    ['/profile', 'Profile'],
    ['/logout', 'Logout'],
  ],
];

const ofConsumers: Group[] = [
  [
    'Appointments',
    [
      ['/week', 'Week'],
      ['/view', 'Search'],
      ['/view-booked', 'Booked'],
    ],
  ],
  ['Invitations', [['/invitations', 'My invitations']]],
];

/** The screens that each reader may open. */
const menus: Record<Role | 'Guest' | 'Stranger', Group[]> = {
  Stranger: [
    [
      'Account',
      [
        ['/register', 'Register'],
        ['/login', 'Login'],
      ],
    ],
  ],
  Guest: [...ofConsumers, ['Account', [['/register', 'Keep this: register']]]],
  Consumer: [...ofConsumers, account],
  Provider: [
    [
      'Appointments',
      [
        ['/week', 'Week'],
        ['/day', 'Day sheet'],
        ['/people', 'People'],
        ['/view-booked', 'Booked'],
        ['/hours', 'Hours'],
        ['/create', 'Create'],
        ['/view-open', 'Open slots'],
        ['/rules', 'Rules'],
      ],
    ],
    [
      'Templates',
      [
        ['/view-templates', 'View'],
        ['/create-template', 'Create'],
      ],
    ],
    [
      'Parties',
      [
        ['/view-parties', 'View'],
        ['/create-party', 'Create'],
      ],
    ],
    [
      'Meetup',
      [
        ['/view-meetups', 'View'],
        ['/view-meetups#create', 'Create'],
      ],
    ],
    account,
  ],
};

/** Links of the menu, with the present screen marked. A fragment is not the present screen. */
function Items({ items, here }: { items: Item[]; here: string }) {
  return items.map(([to, words]) => (
    <li key={to}>
      <a href={to} aria-current={to === here ? 'page' : undefined}>
        {words}
      </a>
    </li>
  ));
}

/** With script: an open drawer keeps the focus; Tab goes to nothing behind it. */
function useDrawer() {
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    const box = menu.current;
    const others = [...(box?.parentElement?.children ?? [])].filter((one) => one !== box);
    const hold = (isOpen: boolean) => {
      for (const one of others) one.toggleAttribute('inert', isOpen);
    };
    const afterOpening = ({ newState }: ToggleEvent) => {
      if (newState !== 'open') return;
      hold(true);
      box?.querySelector('button')?.focus();
    };
    // Do it before the browser gives the focus back to the opener.
    const beforeClosing = ({ newState }: ToggleEvent) => {
      if (newState === 'closed') hold(false);
    };
    box?.addEventListener('toggle', afterOpening);
    box?.addEventListener('beforetoggle', beforeClosing);
    return () => {
      hold(false);
      box?.removeEventListener('toggle', afterOpening);
      box?.removeEventListener('beforetoggle', beforeClosing);
    };
  }, []);
  return menu;
}

/** News, with how many are unread; a guest's menu is short. */
function newsOf(reader: Shell['reader'] | undefined): Item[] {
  if (!reader || reader.isGuest) return [];
  const { unread } = reader;
  return [['/news', unread > 0 ? `News (${unread >= mostUnread ? `${mostUnread - 1}+` : unread})` : 'News']];
}

/** The menu: what this reader may open. If nobody knows who is reading, only the way home. */
export function Sidebar({ shell, pathname }: { shell: Shell | undefined; pathname: string }) {
  const here = pathname.toLowerCase().replace(/(.)\/$/, '$1');
  const reader = shell?.reader;
  const menu = useDrawer();
  return (
    <nav {...drawer} ref={menu} aria-label="Main" className="drawer bg-card p-5 text-base text-ink">
      <div className="flex items-start justify-between gap-3">
        <p className="font-semibold break-words">
          {reader ? `Welcome, ${reader.displayName ?? 'back'}` : 'Welcome to Daybook'}
        </p>
        <button
          type="button"
          {...closes}
          className="min-h-11 shrink-0 rounded-sm px-2 text-sm font-semibold text-accent wide:hidden"
        >
          Close
        </button>
      </div>
      <ul className="mt-4">
        <Items items={[['/', 'Home'], ...newsOf(reader)]} here={here} />
      </ul>
      {(shell ? menus[reader ? (reader.isGuest ? 'Guest' : reader.role) : 'Stranger'] : []).map(([title, items]) => {
        const id = `menu-${title.toLowerCase()}`;
        return (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>{title}</h2>
            <ul>
              <Items items={items} here={here} />
            </ul>
          </section>
        );
      })}
    </nav>
  );
}
