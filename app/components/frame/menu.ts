import { mostUnread } from '../../domain/login/unread';
import type { Role, Shell } from '../../domain/profile/accounts';
import * as paths from '../../paths';

// What the menu and the tabs of a phone lead to, for each kind of reader.

export type Item = {
  to: string;
  before?: string; // words that only a screen reader says
  words: string;
  icon: string;
  create?: { to: string; words: string }; // the target of a plus beside the link
};
export type Reader = NonNullable<Shell['reader']>;
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
const account = [item(paths.profile(), 'Profile', 'account'), item(paths.logout(), 'Logout', 'logout')];

// The group that the link to the news belongs to.
export const daily = 'Appointments';

const ofConsumers: Group[] = [
  { title: daily, items: [search, booked, waitlist, week] },
  { title: 'Invitations', items: [invitations] },
];

// The daily work first, then the setup, then events.
const menus: Record<Role | 'Guest', (reader: Reader) => Menu> = {
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

export const menuOf = (reader: Reader): Menu => menus[reader.isGuest ? 'Guest' : reader.role](reader);

export function newsOf({ unread }: Reader): Item {
  return item(
    paths.news(),
    unread > 0 ? `News (${unread >= mostUnread ? `${mostUnread - 1}+` : unread})` : 'News',
    'news',
  );
}
