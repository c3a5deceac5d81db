import * as paths from '../../paths';
import { formerProvider } from '../leaving/former';
import type { Role } from '../profile/accounts';
import { unkeptWords, type WhyUnkept } from '../standing/unkept';
import { dateWords, type Instant, isSameAt, type LocalDate, localDateOf, localTimeOf, zoneWords } from '../time/clock';

/** Counting stops here, because each unread message is a row read with each page: a menu says '9+'. */
export const mostUnread = 10;

export const kinds = [
  'booked',
  'moved',
  'canceled',
  'answers',
  'rsvps',
  'answered',
  'changed',
  'called-off',
  'invited',
  'reminder',
  'wish',
  'offer',
  'undelivered',
  'overlap',
  'unkept',
  'unread-calendar',
  'password',
  'email',
  'factor-on',
  'factor-off',
  'confirm-email',
  'reset-password',
] as const;
export type Kind = (typeof kinds)[number];

export const kindWords: Record<Kind, string> = {
  booked: 'about new bookings',
  moved: 'about moved appointments',
  canceled: 'about cancellations',
  answers: 'about changed answers',
  rsvps: 'about answers to invitations',
  answered: 'about your own answers to invitations',
  changed: 'about changed parties and meetups',
  'called-off': 'about parties and meetups that are called off',
  invited: 'from this sender',
  reminder: 'that remind you',
  wish: 'about what you wait for',
  offer: 'about times that came free for you',
  undelivered: 'about people whom a mail did not reach',
  unkept: 'about standing times that could not be kept',
  overlap: 'about appointments that your other calendars overlap',
  'unread-calendar': 'about calendars that could not be read',
  password: 'about your password',
  email: 'about your e-mail address',
  'factor-on': 'about the second factor of your login',
  'factor-off': 'about the second factor of your login',
  'confirm-email': 'that ask whether an address is yours',
  'reset-password': 'that let you back in',
};

const safety: readonly Kind[] = ['password', 'email', 'factor-on', 'factor-off', 'confirm-email', 'reset-password'];
export const optional = kinds.filter((kind) => !safety.includes(kind) && kind !== 'invited');

const forHosts: readonly Kind[] = ['answers', 'rsvps', 'undelivered', 'overlap', 'unkept', 'unread-calendar'];

/** A provider may be a guest elsewhere, and so gets those kinds too. */
export const optionalFor = (role: Role): Kind[] =>
  optional.filter((kind) => role === 'Provider' || !forHosts.includes(kind));

export type Subject = {
  noun: 'appointment' | 'party' | 'meetup';
  id: string;
  title: string | null;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  date: LocalDate;
  address: string | null;
  /** The host's own map link. */
  locationUrl: string | null;
  service: string | null;
  people: number;
};

export type Message = {
  id: string;
  kind: Kind;
  at: Instant;
  isRead: boolean;
  /** The reader is the provider or host. */
  isOwn: boolean;
  subject: Subject | null;
  /** The name of the person who did it; null if the reader did. */
  other: string | null;
  host: string | null;
  hostUsername?: string | null;
  reason: string | null;
  /** `rsvps`: the number of answers; `booked` and `canceled`: the number of appointments. */
  count: number;
  // The id of the write that made or ended several bookings, and the start of the last; null for a message about one.
  batchId: string | null;
  last: Instant | null;
  /** `changed`: the old values. */
  was: Partial<Pick<Subject, 'title' | 'startsAt' | 'endsAt' | 'address' | 'locationUrl'>>;
  /** In a mail to a name of a meetup, the id in their link. */
  invitationId: string | null;
  /** `answered`: the reader's answer, and the one before; null in other messages. */
  answer: { isComing: boolean; wasComing: boolean; brings: number } | null;
  /** `booked` and `moved` by the waitlist: how many have moved forward since a time came free; else 0. */
  filled: number;
  /** `wish` and `offer`: the reader's place in line, and the time that is held for them. */
  wish: { id: string; slotId: string | null; heldUntil: Instant | null; isOver: boolean; zone: string } | null;
  /** `unkept`: the person of a standing time, and the dates that could not be booked, with reasons. */
  standing: { personId: string; dates: { date: LocalDate; why: WhyUnkept }[] } | null;
  isUnanswered: boolean;
};

type Times = Pick<Subject, 'startsAt' | 'endsAt' | 'timeZone'>;

/** 'Wednesday, 2 December 2026, 10:00 to 10:30, Lisbon time'. */
export function whenWords({ startsAt, endsAt, timeZone }: Times): string {
  const { full } = dateWords(localDateOf(startsAt, timeZone));
  return `${full}, ${localTimeOf(startsAt, timeZone)} to ${localTimeOf(endsAt, timeZone)}, ${zoneWords(timeZone)}`;
}

const momentIn = (at: Instant, zone: string) => `${dateWords(localDateOf(at, zone)).short}, ${localTimeOf(at, zone)}`;

/** 'Wed 2 Dec, 10:00, Lisbon time'. */
export const momentWords = (at: Instant, zone: string): string => `${momentIn(at, zone)}, ${zoneWords(zone)}`;

export function whenWordsFor({ startsAt, endsAt, timeZone }: Times, readerZone: string): string | null {
  const isSame = isSameAt(startsAt, timeZone, readerZone) && isSameAt(endsAt, timeZone, readerZone);
  return isSame ? null : whenWords({ startsAt, endsAt, timeZone: readerZone });
}

/** ': ill', or nothing. */
export const reasonWords = ({ reason }: Message) => (reason ? `: ${reason}` : '');
/** The reason, and one full stop. */
const endOf = (message: Message) => `${reasonWords(message)}${/[.!?…]$/.test(message.reason ?? '') ? '' : '.'}`;
const times = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`);

function mapLinkChange(before: string | null, now: string | null): string {
  if (!now) return `Its map link was ${before}, and it has none now.`;
  return before ? `Its map link was ${before}, and is now ${now}.` : `Its map link is now ${now}.`;
}

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
    was.locationUrl !== undefined && mapLinkChange(before.locationUrl, subject.locationUrl),
  ];
  // A mail may not have the host's own words.
  return facts.filter(Boolean).join(' ') || 'Its page shows what is new.';
}

const atStart = (name: string | null) => (name === formerProvider ? 'A provider who has left' : name);

function answerSentence({ answer, host, subject }: Message, { title, when }: { title: string; when: string }): string {
  const eventWords = `${title}, hosted by ${host}, on ${when}`;
  if (!answer?.isComing) return `You said that you are not coming to ${eventWords}.`;
  const placeWords = subject?.address ? `, at ${subject.address}` : '';
  const brings = answer.brings > 0 ? ` You bring ${times(answer.brings, 'one more person', 'more people')}.` : '';
  return `You said that you are coming to ${eventWords}${placeWords}.${brings}`;
}

/** ' for Colour', ' for Morning yoga, 3 people'. */
function forWords(subject: Subject | null): string {
  if (subject?.noun !== 'appointment') return '';
  const words = [subject.service, subject.people > 1 && `${subject.people} people`].filter(Boolean).join(', ');
  return words && ` for ${words}`;
}

/** The subject is the first of several appointments. */
const isSeveral = ({ count, batchId, subject }: Message) => batchId !== null && count > 1 && subject !== null;

/** 'from Tuesday, 1 December 2026, 10:00 to 10:30, Lisbon time, to Tuesday, 29 December 2026'. */
function fromTo({ subject, last }: Message): string {
  if (!subject) return '';
  const until = dateWords(localDateOf(last ?? subject.startsAt, subject.timeZone)).full;
  return `from ${whenWords(subject)}, to ${until}`;
}

const bookedSeveral = (message: Message, other: string) =>
  message.isOwn
    ? `${other} booked ${message.count} appointments, ${fromTo(message)}.`
    : `You have ${message.count} appointments with ${message.host}, ${fromTo(message)}.`;

const canceledSeveral = (message: Message, other: string) =>
  message.other
    ? `${other} canceled ${message.count} appointments, ${fromTo(message)}${endOf(message)}`
    : `You canceled ${message.count} appointments with ${message.host}, ${fromTo(message)}.`;

const filledBy = ({ filled }: Message, other: string): string =>
  filled > 1
    ? `Filled by the waitlist: ${filled} people moved forward. The last, ${other},`
    : `Filled by the waitlist: ${other}`;

/** 'Tuesday, 1 December 2026, because it is taken, and 2 more dates'. */
function unkeptDates({ standing }: Message): string {
  const named = (standing?.dates ?? []).map(({ date, why }) => `${dateWords(date).full}, because ${unkeptWords[why]}`);
  const more = named.length - 2;
  return [...named.slice(0, 2), ...(more > 0 ? [times(more, 'one more date', 'more dates')] : [])].join('; ');
}

export function sentenceOf(message: Message): string {
  const { kind, subject, isOwn } = message;
  const host = atStart(message.host);
  const other = atStart(message.other) ?? 'Somebody';
  const timeWords = subject ? whenWords(subject) : '';
  const subjectWords = forWords(subject);
  const title =
    subject?.title ?? (subject?.noun === 'appointment' ? 'an appointment' : `a ${subject?.noun ?? 'party'}`);
  switch (kind) {
    case 'booked':
      if (isSeveral(message)) return bookedSeveral(message, other);
      if (isOwn && message.filled > 0)
        return `${filledBy(message, other)} booked ${subjectWords ? `${subjectWords.slice(5)} on ` : ''}${timeWords}.`;
      return isOwn
        ? `${other} booked ${subjectWords ? `${subjectWords.slice(5)} on ` : ''}${timeWords}.`
        : `Your appointment${subjectWords} with ${message.host} is on ${timeWords}.`;
    case 'moved': {
      const from = subject && whenWords({ ...subject, ...message.was });
      if (message.other && message.filled > 0) return `${filledBy(message, other)} moved from ${from} to ${timeWords}.`;
      return message.other
        ? `${other} moved the appointment${subjectWords} on ${from}. It is now on ${timeWords}${endOf(message)}`
        : `You moved the appointment${subjectWords} with ${message.host} on ${from}. It is now on ${timeWords}.`;
    }
    case 'canceled':
      if (isSeveral(message)) return canceledSeveral(message, other);
      return message.other
        ? `${other} canceled the appointment${subjectWords} on ${timeWords}${endOf(message)}`
        : `You canceled the appointment${subjectWords} with ${message.host} on ${timeWords}.`;
    case 'answers':
      return `${other} changed their answers for ${subjectWords ? `${subjectWords.slice(5)} on ` : ''}${timeWords}.`;
    case 'rsvps':
      return `${times(message.count, 'One person has', 'people have')} answered ${title}.`;
    case 'answered':
      return answerSentence(message, { title, when: timeWords });
    case 'changed':
      return subject ? `${host} changed ${title}. ${changes(message)}` : 'A party was changed.';
    case 'called-off':
      return subject ? `${host} called off ${title} on ${timeWords}${endOf(message)}` : 'A party was called off.';
    case 'invited':
      return `${host} invites you to ${title} on ${timeWords}${subject?.address ? `, at ${subject.address}` : ''}.`;
    case 'reminder':
      if (subject?.noun === 'appointment') return `You see ${message.host}${subjectWords} on ${timeWords}.`;
      return `${title} is on ${timeWords}.${message.isUnanswered ? ' Please say whether you come.' : ''}`;
    case 'wish':
      return `You wait for a time of ${host}. We tell you when one comes free. The link shows your place in line, and how to stop.`;
    case 'offer':
      if (message.wish?.isOver) {
        return `The time of ${host} that was held for you, ${timeWords}, is no longer available. You keep your place in line.`;
      }
      if (!message.wish?.heldUntil) {
        return `A time of ${host} has come free: ${timeWords}. It is not held: the first to book has it.`;
      }
      return `A time of ${host} has come free: ${timeWords}. It is held for you until ${momentWords(message.wish.heldUntil, message.wish.zone)}. Take it, or pass it on to whoever waits next.`;
    case 'undelivered':
      return `A mail to ${other} about ${subject?.title ? `${title} on ${timeWords}` : `the appointment on ${timeWords}`} did not arrive.`;
    case 'overlap':
      return `Something in another calendar of yours is at the same time as the appointment of ${other}${subjectWords} on ${timeWords}. Both stand until you change one.`;
    case 'unkept':
      return `The standing time of ${other} can't be kept on ${unkeptDates(message)}. Their card shows what is free near it.`;
    case 'unread-calendar':
      return `We have not been able to read your calendar ${message.other} for a day. It blocks what it said last.`;
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

export function linkOf({ kind, subject, isOwn, invitationId, standing }: Message): string {
  if (kind === 'unread-calendar') return paths.otherCalendars();
  if (kind === 'unkept') return paths.person(standing?.personId ?? '');
  if (kind === 'wish' || kind === 'offer') return paths.waitlist();
  if (invitationId) return paths.meetup(invitationId);
  if (!subject) return paths.profile();
  const { noun, id } = subject;
  if (noun === 'appointment') return isOwn ? paths.providerView(id) : paths.appointment(id);
  if (noun === 'meetup') return isOwn ? paths.manageMeetup(id) : paths.invitations();
  return isOwn ? paths.manageParty(id) : paths.party(id);
}

/** Without the title, place and reason that a provider or host wrote. */
export const withoutHostTexts = (message: Message): Message => ({
  ...message,
  reason: null,
  was: { startsAt: message.was.startsAt, endsAt: message.was.endsAt },
  subject: message.subject && { ...message.subject, title: null, address: null, locationUrl: null, service: null },
});

/** 'Tue 24 Nov, 09:30', with its time zone if the reader's clock differs. */
function subjectTime({ startsAt, timeZone }: Times, readerZone: string): string {
  const words = momentIn(startsAt, timeZone);
  return isSameAt(startsAt, timeZone, readerZone) ? words : `${words} (${zoneWords(timeZone)})`;
}

const subjectStarts: Partial<Record<Kind, string>> = {
  booked: 'Booked',
  moved: 'Moved',
  canceled: 'Canceled',
  answers: 'New answers',
  rsvps: 'Answers',
  answered: 'Your answer',
  changed: 'Changed',
  'called-off': 'Called off',
  invited: 'An invitation',
  reminder: 'Soon',
  offer: 'Free for you',
  overlap: 'Two things at once',
};

/** 'Karla', 'Karla, Colour' or 'Karla, Garden party'. */
function whoWords({ isOwn, other, host }: Message, { noun, title, service }: Subject): string {
  const event = title ?? `a ${noun}`;
  const subjectHost = isOwn ? (other ?? 'Somebody') : (host ?? 'Your appointment');
  if (noun === 'appointment') return service ? `${subjectHost}, ${service}` : subjectHost;
  return isOwn ? event : `${host}, ${event}`;
}

/** The first mail of a booking begins with the provider's name. */
export function mailSubjectOf(message: Message, readerZone: string): string {
  const { kind, subject, isOwn } = message;
  const start = message.wish?.isOver ? 'No longer held for you' : subjectStarts[kind];
  if (!subject || !start) return otherSubjects[kind] ?? start ?? 'News';
  const sender = whoWords(message, subject);
  const when = subjectTime(subject, readerZone);
  if (kind === 'booked' && !isOwn) return `${sender}: ${when}`;
  return `${start}: ${sender}, ${when}`;
}

const otherSubjects: Partial<Record<Kind, string>> = {
  undelivered: 'A mail of yours did not arrive',
  wish: 'You are on the waitlist',
  unkept: 'A standing time that could not be kept',
  'unread-calendar': "A calendar of yours can't be read",
  password: 'Your password was changed',
  email: 'Your e-mail address was changed',
  'factor-on': 'Your login asks for a code now',
  'factor-off': 'Your login no longer asks for a code',
  'confirm-email': 'Is this your address?',
  'reset-password': 'A new password',
};
