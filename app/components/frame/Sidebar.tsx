import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';
import { Face } from '../Face';
import { useWords } from '../words';
import { Icon } from './Icon';
import { daily, type Item, menuOf, newsOf, type Reader } from './menu';

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
      <Trans>Menu</Trans>
    </button>
  );
}

const pathOf = (pathname: string) => pathname.toLowerCase().replace(/(.)\/$/, '$1');

// Following a fragment does not change the screen that the menu marks.
function Items({ items, here }: { items: Item[]; here: string }) {
  const words = useWords();
  return items.map(({ create, ...item }) => (
    <li key={item.to}>
      <ItemLink item={item} here={here} />
      {create && (
        <a href={create.to} aria-current={create.to === here ? 'page' : undefined} className="creates">
          <Icon name="plus" />
          <span className="sr-only">{words(create.is)}</span>
        </a>
      )}
    </li>
  ));
}

function ItemLink({ item: { to, before, is, icon }, here }: { item: Item; here: string }) {
  const words = useWords();
  return (
    <a href={to} aria-current={to.replace('#now', '') === here ? 'page' : undefined}>
      <Icon name={icon} />
      <span>
        {before && <span className="sr-only">{`${words(before)}: `}</span>}
        {words(is)}
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

/** The menu beside each page, for whoever is logged in or known as a guest. */
export function Sidebar({ reader, pathname }: { reader: Reader; pathname: string }) {
  const { t } = useLingui();
  const words = useWords();
  const currentPath = pathOf(pathname);
  const menu = useDrawer();
  const { displayName: name } = reader;
  const { first, groups, account } = menuOf(reader);
  return (
    <nav {...drawer} ref={menu} aria-label={t`Main`} className="drawer">
      <div className="welcome">
        {name && <Face name={name} />}
        <p>{name ? t`Welcome, ${name}` : t`Welcome, back`}</p>
        <button type="button" {...closes} className="wide:hidden">
          <Trans>Close</Trans>
        </button>
      </div>
      <ul>
        <Items items={[first]} here={currentPath} />
      </ul>
      {groups.map(({ key, title, items }) => (
        <MenuGroup key={key} name={key} title={words(title)}>
          <Items items={key === daily && !reader.isGuest ? [...items, newsOf(reader)] : items} here={currentPath} />
        </MenuGroup>
      ))}
      <MenuGroup name="account" title={t`Account`}>
        <Items items={account} here={currentPath} />
      </MenuGroup>
    </nav>
  );
}

function MenuGroup({ name, title, children }: { name: string; title: string; children: ReactNode }) {
  const id = `menu-${name}`;
  return (
    <section aria-labelledby={id} className={id}>
      <h2 id={id}>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

export function Tabs({ reader, pathname }: { reader: Reader; pathname: string }) {
  const { t } = useLingui();
  const currentPath = pathOf(pathname);
  const { tabs } = menuOf(reader);
  return (
    <nav aria-label={t`Opened most`} className="tabs">
      {tabs.map((tab) => (
        <ItemLink key={tab.to} item={tab} here={currentPath} />
      ))}
      <button type="button" {...opens}>
        <Icon name="menu" />
        <Trans>Menu</Trans>
      </button>
    </nav>
  );
}
