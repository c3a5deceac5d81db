import type { Role } from '../profile/accounts';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';
import { registry } from './kinds';
import type { Current, Joined, KeyedLinks, KindWith, MessageWith, OwnTime } from './kinds/kind';
import { clientName, otherName } from './kinds/words';
import { plainService } from './plain-names';

export type Kind = keyof typeof registry;

type DataOf = { [Name in Kind]: (typeof registry)[Name] extends KindWith<infer Data> ? Data : never };

/** A message of one of these kinds, with the data of its kind. */
export type Message<Name extends Kind = Kind> = {
  [Each in Name]: { kind: Each } & MessageWith<DataOf[Each]>;
}[Name];

export const kinds = Object.keys(registry) as Kind[];

/** Ends a sentence that begins with 'No more mails'. */
export const mailsOf = (kind: Kind): Words => registry[kind].mails;

/** The kinds of mail that an account may switch off. A provider may be a guest elsewhere, and so has those kinds too. */
export const optionalFor = (role: Role): Kind[] =>
  kinds.filter((kind) => {
    const { switchedOffBy } = registry[kind];
    return switchedOffBy === 'anyone' || (switchedOffBy === 'hosts' && role === 'Provider');
  });

export const optional: readonly Kind[] = optionalFor('Provider');

// What follows asks a message's own kind.

const byName: { [Name in Kind]: KindWith<DataOf[Name]> } = registry;

/** @param stored what stands in `messages.data` */
export const dataOf = <Name extends Kind>(kind: Name, stored: object, joined: Joined): DataOf[Name] =>
  byName[kind].data(stored, joined);

type Envelope = Omit<MessageWith<unknown>, 'data'>;

export const messageWith = <Name extends Kind>(kind: Name, data: DataOf[Name], envelope: Envelope) =>
  ({ ...envelope, kind, data }) as Message<Name>;

export const ownTimeOf = (kind: Kind, stored: object): OwnTime | null => byName[kind].ownTime?.(stored) ?? null;

export const isFromHost = (kind: Kind): boolean => byName[kind].isFromHost ?? false;

export const sentenceOf = <Name extends Kind>(message: Message<Name>): Words => byName[message.kind].sentence(message);

/** Whose face stands beside it: of who did it, else of the other one of the two; null if they have left. */
export const faceOf = ({
  other,
  isToHost,
  client,
  host,
}: Pick<Message, 'other' | 'isToHost' | 'client' | 'host'>): string | null =>
  other || (isToHost ? client : host) || null;

/** The path of the page that shows more. */
export const linkOf = <Name extends Kind>(message: Message<Name>): string => byName[message.kind].link(message);

/** The path to which its mail leads by a key of the reader's; null if its kind has none. */
export const keyedLinkOf = <Name extends Kind>(message: Message<Name>, links: KeyedLinks): string | null =>
  byName[message.kind].keyedLink?.(message, links) ?? null;

export const mailSubjectOf = <Name extends Kind>(message: Message<Name>, readerZone: string): Words =>
  byName[message.kind].mailSubject(message, readerZone);

export const buttonOf = <Name extends Kind>(message: Message<Name>, canChange: boolean): Words =>
  byName[message.kind].button(message, canChange);

export const bookAgainOf = <Name extends Kind>(message: Message<Name>, service: string | null): string | null =>
  byName[message.kind].bookAgain?.(message, service) ?? null;

export const isOver = <Name extends Kind>(message: Message<Name>, current: Current, now: Instant): boolean =>
  byName[message.kind].isOver?.(message, current, now) ?? false;

export const calendarEntryOf = <Name extends Kind>(message: Message<Name>): 'stands' | 'canceled' | null =>
  byName[message.kind].calendarEntry?.(message.data) ?? null;

/** Without the title, place and reason that a provider or host wrote; of the service's name what can be no advert. */
export function withoutHostTexts<Name extends Kind>(message: Message<Name>): Message<Name> {
  const { subject, data } = message;
  return {
    ...message,
    data: byName[message.kind].withoutHostTexts?.(data) ?? data,
    subject: subject && {
      ...subject,
      title: null,
      address: null,
      locationUrl: null,
      service: plainService(subject.service),
    },
  };
}

/** A short line for a provider's home: 'Zoë Martins booked Wed 25 Nov, 14:00'. */
export function briefOf<Name extends Kind>(message: Message<Name>): Words {
  const { subject, other, isToHost } = message;
  const { brief } = byName[message.kind];
  return brief && isToHost && other && subject?.noun === 'appointment'
    ? brief(message, { subject, other: otherName(message), client: clientName(message) })
    : sentenceOf(message);
}

/** The kinds of which somebody is shown what others have changed, beside their appointments or invitations. */
export const kindsShownBeside = (where: 'appointments' | 'invitations'): Kind[] =>
  kinds.filter((kind) => byName[kind].notice?.beside === where);

export function noticeOf<Name extends Kind>(message: Message<Name>) {
  const { notice } = byName[message.kind];
  return (
    notice && {
      title: notice.title(message),
      text: notice.text(message),
      offersAnother: notice.offersAnother ?? false,
    }
  );
}
