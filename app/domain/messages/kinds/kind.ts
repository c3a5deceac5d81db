import type { Instant, LocalDate } from '../../time/clock';
import type { Words } from '../../words/words';

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

/** What a message of any kind has. */
type Envelope = {
  id: string;
  at: Instant;
  isRead: boolean;
  /** The reader is the provider or host. */
  isToHost: boolean;
  subject: Subject | null;
  /** The name of the person who did it, '' for a provider who has left; null if the reader did. */
  other: string | null;
  /** The client's name, in what a provider is told of a colleague who acted for them. */
  client?: string | null;
  /** '' if they have left. */
  host: string | null;
  hostUsername?: string | null;
  /** The name of the shop in which it was booked. */
  shop?: string | null;
  /** In a mail to a name of a meetup, the id in their link. */
  invitationId: string | null;
  /** How many RSVPs or appointments it sums up. */
  count: number;
};

/** The data is JSON: no functions, no dates but instants. */
export type MessageWith<Data> = Envelope & { data: Data };

/** What a message's kind may take from other tables into its data. */
export type Joined = { whyCalledOff: string | null; readerZone: string | null };

/** The time of a message that has no booking. */
export type OwnTime = Pick<Subject, 'id' | 'startsAt' | 'endsAt' | 'timeZone' | 'date'>;

/** What a message is about, as it stands when its mail is due. Null for what is gone, or never was. */
export type Current = {
  /** `heldUntil` is null unless the booking is a hold. */
  booking: { isBooked: boolean; isReaders: boolean; startsAt: Instant; heldUntil: Instant | null } | null;
  event: { isCalledOff: boolean; startsAt: Instant; endsAt: Instant } | null;
  /** The reader's own. */
  invitation: { isComing: boolean | null; rsvpAt: Instant | null; isMailEnded: boolean } | null;
  /** Their wish is not over. */
  isInLine: boolean;
  /** The invitation to a shop can still be used. */
  canJoin: boolean;
};

/** Makes the links of a mail that only its reader may have, because they carry a key or a signature. */
export type KeyedLinks = {
  confirmEmail(): string;
  resetPassword(): string;
  joinShop(): string;
  /** The reader's place in line. */
  waiting(wishId: string): string;
  offer(wishId: string, startsAt: Instant): string;
  /** A free time of the message's provider. */
  bookWith(slotId: string): string;
};

export type MailOfKind = {
  /** It may go to an address that nobody has confirmed. */
  toUnconfirmed?: true;
  /** An address gets few of these a day from one sender. */
  isInvitation?: true;
  /** Guests cause it in the name of a provider or host, so theirs are counted together. */
  isByGuests?: true;
  /** It asks whose the address is: it goes also to one that wants no mail, but seldom. */
  isQuestion?: true;
  /** So long it waits for others that go into the same mail, in milliseconds. */
  gathersFor?: number;
};

/** A kind of message, whole: its data, its words, and the rules for its mail. */
export type KindWith<Data> = {
  /** Ends a sentence that begins with 'No more mails'. */
  mails: Words;
  /** Who finds it among the kinds of mail to switch off. */
  switchedOffBy: 'anyone' | 'hosts' | 'nobody';
  /** What limits its mail, beside what limits every mail: see mail-policy.server.ts. */
  mail?: MailOfKind;
  /** Its host is the provider who acted, because the reader may have no booking with them. */
  isFromHost?: true;

  /** @param stored what the statement that tells somebody has written into `messages.data` */
  data(stored: object, joined: Joined): Data;
  ownTime?(stored: object): OwnTime;
  /** Without what a provider or host wrote. */
  withoutHostTexts?(data: Data): Data;

  sentence(message: MessageWith<Data>): Words;
  /** A short line about an appointment for its provider, such as 'Zoë Martins booked Wed 25 Nov, 14:00'. */
  brief?(message: MessageWith<Data>, about: { subject: Subject; other: Words; client: Words | null }): Words;
  /** The page that shows more. */
  link(message: MessageWith<Data>): string;
  /** Where its mail leads instead. A mail about a booking or an RSVP of the reader's leads to their own page of it, where the kind says nothing. */
  keyedLink?(message: MessageWith<Data>, links: KeyedLinks): string;

  mailSubject(message: MessageWith<Data>, readerZone: string): Words;
  /** @param canChange false from the moment on at which a client can change the appointment no more */
  button(message: MessageWith<Data>, canChange: boolean): Words;
  /** The page where the reader books another time. @param service the id of what they had booked */
  bookAgain?(message: MessageWith<Data>, service: string | null): string | null;
  /** Its mail is not worth sending any more. */
  isOver?(message: MessageWith<Data>, current: Current, now: Instant): boolean;
  /** What its mail does to the reader's calendar. */
  calendarEntry?(data: Data): 'stands' | 'canceled' | null;

  /** Shown until the reader marks it as seen, beside their appointments or invitations. */
  notice?: {
    beside: 'appointments' | 'invitations';
    /** 'Canceled by Karla: ill'. */
    title(message: MessageWith<Data>): Words;
    /** Without the reason, which the title has. */
    text(message: MessageWith<Data>): Words;
    offersAnother?: true;
  };
};

export type NoData = Record<string, never>;
export const noData = (): NoData => ({});
