import { msg } from '@lingui/core/macro';
import { mostUnread } from '../../domain/login/unread';
import type { Role, Shell } from '../../domain/profile/accounts';
import type { Words } from '../../domain/words/words';
import * as paths from '../../paths';

// What the menu and the tabs of a phone lead to, for each kind of reader.

export type Item = {
  to: string;
  before?: Words; // words that only a screen reader says
  is: Words;
  icon: string;
  create?: { to: string; is: Words }; // the target of a plus beside the link
};
export type Reader = NonNullable<Shell['reader']>;
type Group = { key: string; title: Words; items: Item[] };
type Menu = { first: Item; groups: Group[]; account: Item[]; tabs: Item[] };

const item = (to: string, is: Words, icon: string): Item => ({ to, is, icon });

const home = item(paths.home(), msg`Home`, 'home');
const today: Item = { to: paths.home(), before: msg`Home`, is: msg`Today`, icon: 'today' };
const week = item(paths.week(), msg`Week`, 'week');
// On a phone the current time is far below the first hour of the day, so the link jumps to it.
const weekAtNow = { ...week, to: `${paths.week()}#now` };
const booked = item(paths.booked(), msg({ message: 'Booked', context: 'several' }), 'booked');
const search = item(paths.search(), msg`Search`, 'search');
const people = item(paths.people(), msg`People`, 'people');
const waitlist = item(paths.waitlist(), msg`Waitlist`, 'waitlist');
const invitations = item(paths.invitations(), msg`My invitations`, 'meetups');
const logout = item(paths.logout(), msg`Logout`, 'logout');
const account = [item(paths.profile(), msg`Profile`, 'account'), logout];

// The group that the link to the news belongs to.
export const daily = 'appointments';

const ofConsumers: Group[] = [
  { key: daily, title: msg`Appointments`, items: [search, booked, waitlist, week] },
  { key: 'invitations', title: msg`Invitations`, items: [invitations] },
];

// The daily work first, then the setup, then events.
const menus: Record<Role | 'Guest', (reader: Reader) => Menu> = {
  Guest: () => ({
    first: home,
    groups: ofConsumers,
    account: [item(paths.register(), msg`Keep this: register`, 'register'), logout],
    tabs: [home, search, booked, { ...invitations, is: msg`Invitations` }],
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
          key: daily,
          title: msg`Appointments`,
          items: [
            week,
            people,
            waitlist,
            item(paths.yourPage(), msg`Booking page`, 'page'),
            booked,
            item(paths.day(), msg`Day sheet`, 'sheet'),
            ...(reader.isAtDesk ? [item(paths.shopDay(), msg`The day of all`, 'people')] : []),
            {
              ...item(paths.freeTimes(), msg`Free times`, 'free'),
              create: { to: paths.createTimes(), is: msg`Create free times` },
            },
          ],
        },
        {
          key: 'set-up',
          title: msg`Set up`,
          items: [
            item(paths.services(), msg`Services`, 'services'),
            item(paths.hours(), msg`Hours`, 'hours'),
            item(paths.rules(), msg`Rules`, 'rules'),
            item(paths.otherCalendars(), msg`Other calendars`, 'calendars'),
          ],
        },
        {
          key: 'templates',
          title: msg`Templates`,
          items: [
            {
              ...item(paths.templates(), msg`Questions`, 'questions'),
              before: msg({ message: 'View', context: 'verb' }),
              create: { to: paths.createTemplate(), is: msg`Create questions` },
            },
          ],
        },
        {
          key: 'parties',
          title: msg`Parties`,
          items: [
            {
              ...item(paths.parties(), msg`Parties`, 'parties'),
              before: msg({ message: 'View', context: 'verb' }),
              create: { to: paths.createParty(), is: msg`Create a party` },
            },
          ],
        },
        {
          key: 'meetup',
          title: msg`Meetup`,
          items: [
            {
              ...item(paths.meetups(), msg`Meetups`, 'meetups'),
              before: msg({ message: 'View', context: 'verb' }),
              create: { to: `${paths.meetups()}#create`, is: msg`Create a meetup` },
            },
          ],
        },
      ],
      account,
      tabs: [today, weekAtNow, people, newsOf(reader)],
    };
  },
};

export const menuOf = (reader: Reader): Menu => menus[reader.isGuest ? 'Guest' : reader.role](reader);

export function newsOf({ unread }: Reader): Item {
  const count = unread >= mostUnread ? `${mostUnread - 1}+` : unread;
  return item(paths.news(), unread > 0 ? msg`News (${count})` : msg`News`, 'news');
}
