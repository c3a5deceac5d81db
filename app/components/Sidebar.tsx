import { NavLink } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { Shell } from './shell';

// React 18 has no types for popovers; the browser opens and closes the drawer by these attributes alone.
const drawer = { id: 'menu', popover: 'auto' };
const opens = { popovertarget: 'menu' };
const closes = { popovertarget: 'menu', popovertargetaction: 'hide' };

/** The button in the header that opens the drawer, where the sidebar does not stand. */
export function MenuButton() {
  return (
    <button
      type="button"
      {...opens}
      className="drawer-button flex min-h-11 shrink-0 items-center gap-2 rounded-md border border-on-cover/40 px-3 text-sm font-semibold wide:hidden"
    >
      <span aria-hidden="true" className="grid gap-1">
        <span className="block h-0.5 w-4 bg-current" />
        <span className="block h-0.5 w-4 bg-current" />
        <span className="block h-0.5 w-4 bg-current" />
      </span>
      Menu
    </button>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = `menu-${title.toLowerCase().replace(' ', '-')}`;
  return (
    <section aria-labelledby={id} className="mt-5">
      <h2 id={id} className="mb-1 font-sans text-xs font-semibold tracking-widest text-muted uppercase">
        {title}
      </h2>
      <ul>{children}</ul>
    </section>
  );
}

function Item({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <NavLink
        to={to}
        end
        className={({ isActive }) =>
          `-mx-2.5 flex min-h-11 items-center rounded-sm border-l-3 px-2.5 hover:bg-wash ${
            isActive && !to.includes('#') ? 'border-accent bg-wash font-semibold' : 'border-transparent'
          }`
        }
      >
        {children}
      </NavLink>
    </li>
  );
}

/** The index of the book: what this reader may open. */
export function Sidebar({ reader }: { reader: Shell['reader'] }) {
  const isProvider = reader?.role === 'Provider';
  return (
    <nav
      {...drawer}
      aria-label="Main"
      className="drawer border-r border-rule bg-card p-5 text-base text-ink wide:border-r"
    >
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
        <Item to="/">Home</Item>
      </ul>
      {reader && (
        <Group title="Appointments">
          {!isProvider && <Item to="/view">Search</Item>}
          <Item to="/view-booked">Booked</Item>
          {isProvider && <Item to="/create">Create</Item>}
          {isProvider && <Item to="/view-open">Open slots</Item>}
        </Group>
      )}
      {isProvider && (
        <Group title="Templates">
          <Item to="/view-templates">View</Item>
          <Item to="/create-template">Create</Item>
        </Group>
      )}
      {isProvider && (
        <Group title="Parties">
          <Item to="/view-parties">View</Item>
          <Item to="/create-party">Create</Item>
        </Group>
      )}
      {isProvider && (
        <Group title="Meetup">
          <Item to="/view-meetups">View</Item>
          <Item to="/view-meetups#create">Create</Item>
        </Group>
      )}
      {reader && !isProvider && (
        <Group title="Invitations">
          <Item to="/invitations">My invitations</Item>
        </Group>
      )}
      <Group title="Account">
        {reader ? (
          <>
            <Item to="/profile">Profile</Item>
            <Item to="/logout">Logout</Item>
          </>
        ) : (
          <>
            <Item to="/register">Register</Item>
            <Item to="/login">Login</Item>
          </>
        )}
      </Group>
    </nav>
  );
}
