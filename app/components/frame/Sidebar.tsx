import { type ReactNode, useEffect, useRef } from 'react';
import { mostUnread } from '../../domain/messages/messages';
import type { Role, Shell } from '../../domain/profile/accounts';
import * as paths from '../../paths';
import { Face } from '../Face';
import { Icon } from './Icon';

// React 18 has no types for popovers. These attributes let the browser open and close the drawer.
const drawer = { id: 'menu', popover: 'auto' };
const opens = { popovertarget: 'menu' };
const closes = { popovertarget: 'menu', popovertargetaction: 'hide' };

export function MenuButton() {
  return (
    <button
      type="button"
      {...opens}
      className="drawer-button flex min-h-11 shrink-0 items-center gap-2 rounded-md border border-on-cover/40 px-3 text-sm font-semibold wide:hidden"
    >
      <Icon name="menu" />
      Menu
    </button>
  );
}

type Item = {
  to: string;
  before?: string; // words that only a screen reader says
  words: string;
  icon: string;
  create?: { to: string; words: string }; // the target of a plus beside the link
};
type Group = { title: string; items: Item[] };
type Menu = { first: Item; groups: Group[]; account: Item[]; tabs: Item[] };

const item = (to: string, words: string, icon: string): Item => ({ to, words, icon });

const home = item(paths.home(), 'Home', 'home');
const today: Item = { to: paths.home(), before: 'Home', words: 'Today', icon: 'today' };
const week = item(paths.week(), 'Week', 'week');
// On a phone the current time is far below the first hour of the day, so the link jumps to it.
const weekAtNow = { ...week, to: `${paths.week()}#now` };
const booked = item(paths.booked(), 'Booked', 'booked');
const search = item(paths.search(), 'Search', 'search');
const people = item(paths.people(), 'People', 'people');
const waitlist = item(paths.waitlist(), 'Waitlist', 'waitlist');
const invitations = item(paths.invitations(), 'My invitations', 'meetups');
const register = item(paths.register(), 'Register', 'register');
const login = item(paths.login(), 'Login', 'login');
const account = [item(paths.profile(), 'Profile', 'account'), item(paths.logout(), 'Logout', 'logout')];

// The group that the link to the news belongs to.
const daily = 'Appointments';

const ofConsumers: Group[] = [
  { title: daily, items: [search, booked, waitlist, week] },
  { title: 'Invitations', items: [invitations] },
];

// The daily work first, then the setup, then events.
const menus: Record<Role | 'Guest' | 'Stranger', (reader: Shell['reader']) => Menu> = {
  Stranger: () => ({ first: home, groups: [], account: [register, login], tabs: [] }),
  Guest: () => ({
    first: home,
    groups: ofConsumers,
    account: [item(paths.register(), 'Keep this: register', 'register')],
    tabs: [home, search, booked, { ...invitations, words: 'Invitations' }],
  }),
  Consumer: (reader) => ({
    first: home,
    groups: ofConsumers,
    account,
    tabs: [home, search, booked, newsOf(reader)],
  }),
  Provider: (reader) => {
    return {
      first: today,
      groups: [
        {
          title: daily,
          items: [
            week,
            people,
            waitlist,
            item(paths.yourPage(), 'Booking page', 'page'),
            booked,
            item(paths.day(), 'Day sheet', 'sheet'),
            {
              ...item(paths.freeTimes(), 'Free times', 'free'),
              create: { to: paths.createTimes(), words: 'Create free times' },
            },
          ],
        },
        {
          title: 'Set up',
          items: [
            item(paths.services(), 'Services', 'services'),
            item(paths.hours(), 'Hours', 'hours'),
            item(paths.rules(), 'Rules', 'rules'),
          ],
        },
        {
          title: 'Templates',
          items: [
            {
              ...item(paths.templates(), 'Questions', 'questions'),
              before: 'View',
              create: { to: paths.createTemplate(), words: 'Create questions' },
            },
            item(paths.otherCalendars(), 'Other calendars', 'calendars'),
          ],
        },
        {
          title: 'Parties',
          items: [
            {
              ...item(paths.parties(), 'Parties', 'parties'),
              before: 'View',
              create: { to: paths.createParty(), words: 'Create a party' },
            },
          ],
        },
        {
          title: 'Meetup',
          items: [
            {
              ...item(paths.meetups(), 'Meetups', 'meetups'),
              before: 'View',
              create: { to: `${paths.meetups()}#create`, words: 'Create a meetup' },
            },
          ],
        },
      ],
      account,
      tabs: [today, weekAtNow, people, newsOf(reader)],
    };
  },
};

/** The menu for this reader; undefined if we don't know who is reading. */
function menuOf(shell: Shell | undefined): Menu | undefined {
  if (!shell) return undefined;
  const { reader } = shell;
  return menus[reader ? (reader.isGuest ? 'Guest' : reader.role) : 'Stranger'](reader);
}

function newsOf(reader: Shell['reader']): Item {
  const unread = reader?.unread ?? 0;
  return item(
    paths.news(),
    unread > 0 ? `News (${unread >= mostUnread ? `${mostUnread - 1}+` : unread})` : 'News',
    'news',
  );
}

const pathOf = (pathname: string) => pathname.toLowerCase().replace(/(.)\/$/, '$1');

// Following a fragment does not change the screen that the menu marks.
function Items({ items, here }: { items: Item[]; here: string }) {
  return items.map(({ create, ...item }) => (
    <li key={item.to}>
      <ItemLink item={item} here={here} />
      {create && (
        <a href={create.to} aria-current={create.to === here ? 'page' : undefined} className="creates">
          <Icon name="plus" />
          <span className="sr-only">{create.words}</span>
        </a>
      )}
    </li>
  ));
}

function ItemLink({ item: { to, before, words, icon }, here }: { item: Item; here: string }) {
  return (
    <a href={to} aria-current={to.replace('#now', '') === here ? 'page' : undefined}>
      <Icon name={icon} />
      <span>
        {before && <span className="sr-only">{`${before}: `}</span>}
        {words}
      </span>
    </a>
  );
}

// While the drawer is open, Tab stays inside it.
function useDrawer() {
  const menu = useRef<HTMLElement>(null);
  useEffect(() => {
    const box = menu.current;
    const others = [...(box?.parentElement?.children ?? [])].filter((element) => element !== box);
    const hold = (isOpen: boolean) => {
      for (const element of others) element.toggleAttribute('inert', isOpen);
    };
    const afterOpening = ({ newState }: ToggleEvent) => {
      if (newState !== 'open') return;
      hold(true);
      box?.querySelector('button')?.focus();
    };
    // Runs before the browser returns the focus to the button that opened the drawer.
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

/** The menu beside each page. If we don't know the reader, it has only the link home. */
export function Sidebar({ shell, pathname }: { shell: Shell | undefined; pathname: string }) {
  const currentPath = pathOf(pathname);
  const reader = shell?.reader;
  const menu = useDrawer();
  const { first = home, groups = [], account = [] } = menuOf(shell) ?? {};
  const isTold = reader && !reader.isGuest;
  return (
    <nav {...drawer} ref={menu} aria-label="Main" className="drawer">
      <div className="welcome">
        {reader?.displayName && <Face name={reader.displayName} />}
        <p>{reader ? `Welcome, ${reader.displayName ?? 'back'}` : 'Welcome to Daybook'}</p>
        <button type="button" {...closes} className="wide:hidden">
          Close
        </button>
      </div>
      <ul>
        <Items items={[first]} here={currentPath} />
      </ul>
      {groups.map(({ title, items }) => (
        <MenuGroup key={title} title={title}>
          <Items items={title === daily && isTold ? [...items, newsOf(reader)] : items} here={currentPath} />
        </MenuGroup>
      ))}
      {account.length > 0 && (
        <MenuGroup title="Account">
          <Items items={account} here={currentPath} />
        </MenuGroup>
      )}
    </nav>
  );
}

function MenuGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = `menu-${title.toLowerCase().replace(' ', '-')}`;
  return (
    <section aria-labelledby={id} className={id}>
      <h2 id={id}>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

export function Tabs({ shell, pathname }: { shell: Shell | undefined; pathname: string }) {
  const currentPath = pathOf(pathname);
  const { tabs = [] } = menuOf(shell) ?? {};
  if (tabs.length === 0) return null;
  return (
    <nav aria-label="Opened most" className="tabs">
      {tabs.map((tab) => (
        <ItemLink key={tab.to} item={tab} here={currentPath} />
      ))}
      <button type="button" {...opens}>
        <Icon name="menu" />
        Menu
      </button>
    </nav>
  );
}
