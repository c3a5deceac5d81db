import type { Role } from '../accounts/accounts';
import { dateWords, type Instant, type LocalDate, localDateOf, localTimeOf, zoneWords } from '../time/clock';

/** How many unread messages are counted at most, each a row that is read with each page: a menu says '9+'. */
export const mostUnread = 10;

/** What people are told of; each has its own line in news, its own mail, and its own switch. */
export const kinds = [
  'booked',
  'moved',
  'canceled',
  'answers',
  'rsvps',
  'changed',
  'called-off',
  'invited',
  'reminder',
  'undelivered',
  'password',
  'email',
  'factor-on',
  'factor-off',
  'confirm-email',
  'reset-password',
] as const;
export type Kind = (typeof kinds)[number];

/** Each kind as a screen names it, after the word 'mails'. */
export const kindWords: Record<Kind, string> = {
  booked: 'about new bookings',
  moved: 'about moved appointments',
  canceled: 'about cancellations',
  answers: 'about changed answers',
  rsvps: 'about answers to invitations',
  changed: 'about changed parties and meetups',
  'called-off': 'about parties and meetups that are called off',
  invited: 'about this invitation',
  reminder: 'that remind you',
  undelivered: 'about mails that did not arrive',
  password: 'about your password',
  email: 'about your e-mail address',
  'factor-on': 'about the second factor of your login',
  'factor-off': 'about the second factor of your login',
  'confirm-email': 'that ask whether an address is yours',
  'reset-password': 'that let you back in',
};

/** The kinds that may be switched off; the others are about the safety of the account. */
const safety: readonly Kind[] = ['password', 'email', 'factor-on', 'factor-off', 'confirm-email', 'reset-password'];
export const optional = kinds.filter((kind) => !safety.includes(kind) && kind !== 'invited');

const ofHosts: readonly Kind[] = ['answers', 'rsvps', 'undelivered'];

/** Those of them that somebody with this role may get. Who publishes and hosts may be a guest elsewhere. */
export const optionalFor = (role: Role): Kind[] =>
  optional.filter((kind) => role === 'Provider' || !ofHosts.includes(kind));

/** What a message is about, as it stands now: an appointment, or a party or meetup with its title. */
export type Subject = {
  noun: 'appointment' | 'party' | 'meetup';
  id: string;
  title: string | null;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  date: LocalDate;
  address: string | null;
};

/** One thing that one account is told. */
export type Message = {
  id: string;
  kind: Kind;
  at: Instant;
  isRead: boolean;
  /** The reader publishes or hosts what it is about. */
  isOwn: boolean;
  subject: Subject | null;
  /** Who did it, by name; null where nobody else did. */
  other: string | null;
  /** The provider of the appointment, or the host, by name. */
  host: string | null;
  /** Why, in the words of whoever canceled, or called it off. */
  reason: string | null;
  /** `rsvps`: how many answered. */
  count: number;
  /** `changed`: what stood before. */
  was: Partial<Pick<Subject, 'title' | 'startsAt' | 'endsAt' | 'address'>>;
  /** Of a mail to a name of a meetup: the id in their link. */
  invitationId: string | null;
  /** `reminder`: whoever gets it has not said yet whether they come. */
  isUnanswered: boolean;
};

type Times = Pick<Subject, 'startsAt' | 'endsAt' | 'timeZone'>;

/** When something is, in one line: 'Wednesday, 2 December 2026, 10:00 to 10:30, Lisbon time'. */
function whenWords({ startsAt, endsAt, timeZone }: Times): string {
  const { full } = dateWords(localDateOf(startsAt, timeZone));
  return `${full}, ${localTimeOf(startsAt, timeZone)} to ${localTimeOf(endsAt, timeZone)}, ${zoneWords(timeZone)}`;
}

/** When something was done: 'Wed 2 Dec, 10:00, Lisbon time'. */
export const momentWords = (at: Instant, zone: string): string =>
  `${dateWords(localDateOf(at, zone)).short}, ${localTimeOf(at, zone)}, ${zoneWords(zone)}`;

/** The same in another zone, where clocks show something else there; null where they do not. */
export function whenWordsFor({ startsAt, endsAt, timeZone }: Times, readerZone: string): string | null {
  const isSame = localTimeOf(startsAt, timeZone) === localTimeOf(startsAt, readerZone);
  return isSame ? null : whenWords({ startsAt, endsAt, timeZone: readerZone });
}

/** The reason, after what was done: ': ill'. */
export const because = ({ reason }: Message) => (reason ? `: ${reason}` : '');
/** The end of a sentence, with the reason; one that ends by itself gets no second full stop. */
const endOf = (message: Message) => `${because(message)}${/[.!?…]$/.test(message.reason ?? '') ? '' : '.'}`;
const times = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`);

/** What has changed of a party or meetup: each fact as it was, then as it is. */
function changes({ was, subject }: Message): string {
  if (!subject) return '';
  const before = { ...subject, ...was };
  const facts = [
    was.title !== undefined && `It was called ${before.title}.`,
    (was.startsAt !== undefined || was.endsAt !== undefined) &&
      `It was on ${whenWords(before)}, and is now on ${whenWords(subject)}.`,
    was.address !== undefined &&
      (subject.address
        ? `It was at ${before.address || 'no place that was named'}, and is now at ${subject.address}.`
        : `It was at ${before.address}, and has no address now.`),
  ];
  return facts.filter(Boolean).join(' ');
}

/** The sentence of a message, as news and mails have it. */
export function sentenceOf(message: Message): string {
  const { kind, subject, isOwn, host } = message;
  const other = message.other ?? 'Somebody';
  const when = subject ? whenWords(subject) : '';
  const title = subject?.title ?? 'an appointment';
  switch (kind) {
    case 'booked':
      return isOwn ? `${other} booked ${when}.` : `You booked ${host} on ${when}.`;
    case 'moved': {
      const from = subject && whenWords({ ...subject, ...message.was });
      return message.other
        ? `${other} moved the appointment on ${from}. It is now on ${when}${endOf(message)}`
        : `You moved the appointment with ${host} on ${from}. It is now on ${when}.`;
    }
    case 'canceled':
      return message.other
        ? `${other} canceled the appointment on ${when}${endOf(message)}`
        : `You canceled the appointment with ${host} on ${when}.`;
    case 'answers':
      return `${other} changed their answers for ${when}.`;
    case 'rsvps':
      return `${times(message.count, 'One person has', 'people have')} answered ${title}.`;
    case 'changed':
      return subject ? `${host} changed ${title}. ${changes(message)}` : 'A party was changed.';
    case 'called-off':
      return subject ? `${host} called off ${title} on ${when}${endOf(message)}` : 'A party was called off.';
    case 'invited':
      return `${host} invites you to ${title} on ${when}${subject?.address ? `, at ${subject.address}` : ''}.`;
    case 'reminder':
      if (subject?.noun === 'appointment') return `You see ${host} on ${when}.`;
      return `${title} is on ${when}.${message.isUnanswered ? ' Please say whether you come.' : ''}`;
    case 'undelivered':
      return `A mail to ${other} about ${subject?.title ? `${title} on ${when}` : `the appointment on ${when}`} did not arrive.`;
    case 'password':
      return 'Your password was changed. If that was not you, ask for a new one on the login page now.';
    case 'email':
      return 'Your e-mail address was changed or removed.';
    case 'factor-on':
      return 'Your login now asks for a code of your authenticator app as well. If that was not you, set a new password now.';
    case 'factor-off':
      return 'Your login no longer asks for a code. If that was not you, set a new password now.';
    case 'confirm-email':
      return 'Somebody gave this address to Daybook. If it was you, open the page and confirm it; else do nothing.';
    case 'reset-password':
      return 'Somebody asked for a new password for your account. The page is good for one hour, once. If it was not you, do nothing.';
  }
}

/** Where a message leads: the page of what it is about, as its reader sees it. */
export function linkOf({ subject, isOwn, invitationId }: Message): string {
  if (invitationId) return `/meetup-rsvp/${invitationId}`;
  if (!subject) return '/profile';
  const { noun, id } = subject;
  if (noun === 'appointment') return `/${isOwn ? 'view-provider' : 'details-cancel'}/${id}`;
  if (noun === 'meetup') return isOwn ? `/manage-meetup/${id}` : '/invitations';
  return isOwn ? `/view-party/${id}` : `/party/${id}`;
}

/** The subject of a mail: it says what and when, and nothing that others should not read on a locked screen. */
export function mailSubjectOf({ kind, subject }: Message): string {
  const day = subject ? dateWords(localDateOf(subject.startsAt, subject.timeZone)).longWeekday : '';
  const what = subject?.noun === 'appointment' || !subject ? 'appointment' : 'invitation';
  switch (kind) {
    case 'booked':
      return `Your appointment on ${day}`;
    case 'moved':
      return `Moved: your appointment, now on ${day}`;
    case 'canceled':
      return `Canceled: your appointment on ${day}`;
    case 'answers':
      return `New answers for your appointment on ${day}`;
    case 'rsvps':
      return `Answers to your ${subject?.noun ?? 'party'} on ${day}`;
    case 'changed':
      return `Changed: your invitation for ${day}`;
    case 'called-off':
      return `Called off: your invitation for ${day}`;
    case 'invited':
      return `An invitation for ${day}`;
    case 'reminder':
      return `Soon: your ${what} on ${day}`;
    case 'undelivered':
      return 'A mail of yours did not arrive';
    case 'password':
      return 'Your password was changed';
    case 'email':
      return 'Your e-mail address was changed';
    case 'factor-on':
      return 'Your login asks for a code now';
    case 'factor-off':
      return 'Your login no longer asks for a code';
    case 'confirm-email':
      return 'Is this your address?';
    case 'reset-password':
      return 'A new password';
  }
}
