import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { id, instant, jsonList, yesNo } from './columns';

/*
 * The tables as the code sees them. migrations/ makes them, with constraints, triggers and indexes;
 * test/domain/schema.test.ts compares the two.
 */

/** A question and its answer, in a JSON column. */
type StoredQuestion = {
  id: string;
  questionText: string;
  questionType: 0 | 1 | 2;
  options: string[] | null;
  required: boolean;
};
type StoredAnswer = { question: string; answer: string };

/** Hours by the week, and other ones on some dates. */
type StoredRange = { start: string; end: string };
type StoredPlan = {
  hours: (StoredRange & { day: number })[];
  except: { date: string; to?: string | null; hours: StoredRange[] }[];
  len: number;
  gap: number;
  ahead: number;
};

/** A city, spelt as first registered. */
export const cities = sqliteTable('cities', {
  folded: text('folded').primaryKey(),
  name: text('name').notNull(),
  providers: integer('providers').notNull().default(0),
});

/** A person or company: a consumer books, a provider publishes. A guest is a consumer who has no login. */
export const accounts = sqliteTable('accounts', {
  id: id(),
  /** Null where there is no login, as are its folded text and the password. */
  username: text('username'),
  usernameFolded: text('username_folded'),
  displayName: text('display_name').notNull(),
  displayFolded: text('display_folded').notNull(),
  displaySortKey: text('display_sort_key').notNull(),
  passwordHash: text('password_hash'),
  role: text('role', { enum: ['Consumer', 'Provider'] }).notNull(),
  timeZone: text('time_zone').notNull(),
  city: text('city').references(() => cities.folded),
  description: text('description'),
  createdAt: instant('created_at').notNull(),
  openSlotsAtMost: integer('open_slots_at_most').notNull().default(0),
  email: text('email'),
  /** Of a provider: who may book. */
  openTo: text('open_to', { enum: ['anyone', 'accounts'] })
    .notNull()
    .default('anyone'),
  /** Of a provider: whether a guest is asked for an e-mail address. */
  askEmail: text('ask_email', { enum: ['no', 'optional', 'required'] })
    .notNull()
    .default('optional'),
  /** Until then the address gets nothing but the question whether it is theirs. */
  emailConfirmedAt: instant('email_confirmed_at'),
  /** Kinds of message that do not come by mail. */
  mailOff: jsonList<string>('mail_off').notNull().default([]),
  /** Of a provider: how many minutes before its start a slot can be booked no more. */
  notice: integer('notice').notNull().default(0),
  /** How many minutes before the start a booker can cancel or move no more; each booking keeps its own. */
  cancelUntil: integer('cancel_until').notNull().default(0),
  /** How many days ahead slots can be booked; null where there is no end. */
  horizonDays: integer('horizon_days'),
  /** How many coming appointments one person may have. */
  perPerson: integer('per_person'),
  /** How many booked appointments a day may have. */
  perDay: integer('per_day'),
  /** Of a provider: how many minutes before the start people are reminded. */
  reminders: jsonList<number>('reminders').notNull().default([1440]),
  /** Of a provider: after how many days the answers of past appointments are deleted; null where never. */
  keepAnswersDays: integer('keep_answers_days'),
});

/** Each ending of each provider's two names, for the search; triggers keep them. */
export const providerNames = sqliteTable(
  'provider_names',
  { ending: text('ending').notNull(), providerId: text('provider_id').notNull() },
  (table) => [primaryKey({ columns: [table.ending, table.providerId] })],
);

/** A device that is logged in. Deleting the row logs it out. */
export const sessions = sqliteTable('sessions', {
  id: id(),
  accountId: text('account_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  /** To the day: a session in use is noted once a day. */
  lastUsedAt: instant('last_used_at').notNull().default(0),
  /** What the browser calls itself, in a few words; null where it says nothing that we know. */
  device: text('device'),
});

/** What a form or call with this key was answered, to replay it: sending it again has no second effect. */
export const oneTimeKeys = sqliteTable(
  'one_time_keys',
  {
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    claim: text('claim').notNull(),
    replay: text('replay', { mode: 'json' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.caller, table.key] })],
);

/** The number of tries in the window that ends at `endsAt`. */
export const throttles = sqliteTable('throttles', {
  bucket: text('bucket').primaryKey(),
  tries: integer('tries').notNull(),
  endsAt: instant('ends_at').notNull(),
});

/** Always empty: inserting a refusal fails the whole batch under that name. */
export const refusals = sqliteTable('refusals', { name: text('name').primaryKey() });

/** One published version of a set of check-in questions. An edit adds a row that replaces the old one. */
export const templates = sqliteTable('templates', {
  id: id(),
  providerId: text('provider_id').notNull(),
  displayName: text('display_name').notNull(),
  questions: jsonList<StoredQuestion>('questions').notNull(),
  listedAt: instant('listed_at').notNull(),
  replaces: text('replaces'),
  createdAt: instant('created_at').notNull(),
  retiredAt: instant('retired_at'),
});

/** A slot of a provider's time: open (0), then booked (1), then canceled (2), never back. */
export const slots = sqliteTable('slots', {
  id: id(),
  providerId: text('provider_id').notNull(),
  city: text('city').notNull(),
  startsAt: instant('starts_at').notNull(),
  endsAt: instant('ends_at').notNull(),
  localDate: text('local_date').notNull(),
  timeZone: text('time_zone').notNull(),
  status: integer('status').$type<0 | 1 | 2>().notNull().default(0),
  notes: text('notes'),
  templateId: text('template_id'),
  publication: text('publication').notNull(),
  canceledAt: instant('canceled_at'),
  canceledBy: text('canceled_by'),
  /** Canceled, and booked before that. */
  wasBooked: yesNo('was_booked').notNull().default(false),
  /** In the words of whoever canceled it, or moved it away from here. */
  cancelReason: text('cancel_reason'),
  /** The slot that its booker has instead. */
  movedTo: text('moved_to'),
});

/** The days on which a provider has open slots; triggers keep them. */
export const openDays = sqliteTable(
  'open_days',
  {
    providerId: text('provider_id').notNull(),
    localDate: text('local_date').notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.localDate] })],
);

/** The first and last start of a city's slots on a day; triggers keep them. */
export const cityDays = sqliteTable(
  'city_days',
  {
    city: text('city').notNull(),
    localDate: text('local_date').notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.city, table.localDate] })],
);

/** Who holds or held a slot, with their answers. A booking is known by its slot and its number there, from 0. */
export const bookings = sqliteTable(
  'bookings',
  {
    slotId: text('slot_id').notNull(),
    number: integer('number').notNull().default(0),
    bookerId: text('booker_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    bookedAt: instant('booked_at').notNull(),
    answers: jsonList<StoredAnswer>('answers').notNull().default([]),
    answeredAt: instant('answered_at'),
    isCanceled: yesNo('is_canceled').notNull().default(false),
    /** SHA-256 in hexadecimal of the key in the personal link; null where there is none. */
    linkHash: text('link_hash'),
    /** The provider's own. */
    privateNote: text('private_note'),
    /** Of the code by which somebody booked by the provider takes the booking over. */
    claimHash: text('claim_hash'),
    /** Of which the key in the personal link is made, with a secret. */
    linkSeed: text('link_seed'),
    /** The provider has canceled it. */
    isCalledOff: yesNo('is_called_off').notNull().default(false),
    /** In minutes before the start, as it stood when this was booked. */
    cancelUntil: integer('cancel_until').notNull().default(0),
    /** The slot that this booking was moved from. */
    movedFrom: text('moved_from'),
    movedBy: text('moved_by', { enum: ['provider', 'consumer'] }),
    /** The first slot of a chain of moves: all are one entry in a calendar. Null: the booking's own. */
    calendarId: text('calendar_id'),
    /** Rises with each move and with the cancellation. */
    sequence: integer('sequence').notNull().default(0),
    /** Whether the booker came, as the provider has marked it; null while nobody knows. */
    attendance: text('attendance', { enum: ['seen', 'excused', 'missed'] }),
  },
  (table) => [primaryKey({ columns: [table.slotId, table.number] })],
);

/** What times a provider keeps published. */
export const hours = sqliteTable('hours', {
  providerId: text('provider_id').primaryKey(),
  plan: text('plan', { mode: 'json' }).$type<StoredPlan>().notNull(),
  notes: text('notes'),
  templateId: text('template_id'),
  /** Another one after each change by the provider. */
  version: text('version').notNull(),
  /** The last date that is published; blank where all is to be looked at anew. */
  carriedTo: text('carried_to').notNull(),
  /** When the job is to carry them on. */
  nextAt: instant('next_at').notNull(),
});

/** An event: a party has one link for all, a meetup a personal link for each name. */
export const parties = sqliteTable('parties', {
  id: id(),
  kind: text('kind', { enum: ['party', 'meetup'] }).notNull(),
  providerId: text('provider_id').notNull(),
  title: text('title').notNull(),
  description: text('description'),
  startsAt: instant('starts_at').notNull(),
  endsAt: instant('ends_at').notNull(),
  localDate: text('local_date').notNull(),
  timeZone: text('time_zone').notNull(),
  address: text('address'),
  locationUrl: text('location_url'),
  templateId: text('template_id'),
  capacity: integer('capacity'),
  rsvpBy: text('rsvp_by'),
  rsvpClosesAt: instant('rsvp_closes_at'),
  plusOnes: integer('plus_ones').notNull().default(0),
  hideGoing: yesNo('hide_going').notNull().default(false),
  going: integer('going').notNull().default(0),
  invited: integer('invited').notNull().default(0),
  sequence: integer('sequence').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  /** Who may answer a party. */
  openTo: text('open_to', { enum: ['anyone', 'accounts'] })
    .notNull()
    .default('accounts'),
  /** The provider's page shows it. */
  showOnPage: yesNo('show_on_page').notNull().default(false),
  /** When it was changed last, to tell of each change at its time. */
  changedAt: instant('changed_at'),
  /** When its host called it off. */
  deletedAt: instant('deleted_at'),
  /** Why, in the words of the host. */
  cancelReason: text('cancel_reason'),
});

/** When and where a party or meetup was before a change of that. */
export const partyMoves = sqliteTable(
  'party_moves',
  {
    partyId: text('party_id').notNull(),
    movedAt: instant('moved_at').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    localDate: text('local_date').notNull(),
    address: text('address'),
    locationUrl: text('location_url'),
  },
  (table) => [primaryKey({ columns: [table.partyId, table.movedAt] })],
);

/** An RSVP to a party by an account, or a name's personal link to a meetup. */
export const invitations = sqliteTable(
  'invitations',
  {
    partyId: text('party_id').notNull(),
    /** An account's id, or a folded name. */
    invitee: text('invitee').notNull(),
    id: text('id').notNull(),
    accountId: text('account_id'),
    /** The account's username; null for a name on a meetup's list, and for a guest. */
    username: text('username'),
    name: text('name').notNull(),
    nameSortKey: text('name_sort_key').notNull(),
    accepted: yesNo('accepted'),
    plusOnes: integer('plus_ones').notNull().default(0),
    answers: jsonList<StoredAnswer>('answers').notNull().default([]),
    answeredAt: instant('answered_at'),
    createdAt: instant('created_at').notNull(),
    /** SHA-256 in hexadecimal of the key in a guest's personal link; null where there is none. */
    linkHash: text('link_hash'),
    /** Of a meetup's name: where the host has the invitation sent, since when, and since when no more mail is wanted there. */
    email: text('email'),
    emailAt: instant('email_at'),
    mailEndedAt: instant('mail_ended_at'),
    /** Of an account's own: when its party begins; a trigger keeps it. */
    partyStartsAt: instant('party_starts_at'),
  },
  ({ partyId, invitee }) => [primaryKey({ columns: [partyId, invitee] })],
);

/** What people are told of: a line in their news, and where they have a confirmed address and want it, a mail. */
export const messages = sqliteTable('messages', {
  id: id(),
  accountId: text('account_id').notNull(),
  kind: text('kind').notNull(),
  slotId: text('slot_id'),
  partyId: text('party_id'),
  actorId: text('actor_id'),
  data: text('data', { mode: 'json' }).notNull().default({}),
  createdAt: instant('created_at').notNull(),
  isRead: yesNo('is_read').notNull().default(false),
  email: text('email'),
  /** `dead`: given up, at due_at; `dropped`: not sent, because what it was about is over. */
  mailState: text('mail_state', { enum: ['due', 'leased', 'sent', 'dead', 'dropped'] }),
  tries: integer('tries').notNull().default(0),
  dueAt: instant('due_at'),
  reason: text('reason'),
  /** Of a mail to a name of a meetup, which is its host's message. */
  invitationId: text('invitation_id'),
});

/** How many minutes before a start anybody wants to be reminded; the usual 1440 is not kept. */
export const reminderTimes = sqliteTable('reminder_times', { minutes: integer('minutes').primaryKey() });

/** What lets somebody back in who has lost the password: each good once, kept as its HMAC. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { accountId: text('account_id').notNull(), codeHash: text('code_hash').notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.codeHash] })],
);

/** The address of an account's feed; triggers raise the version with each change of what the feed holds. */
export const feeds = sqliteTable('feeds', {
  accountId: text('account_id').primaryKey(),
  /** SHA-256 in hexadecimal of the key. */
  keyHash: text('key_hash').notNull(),
  /** Of which the key is made, with a secret. */
  seed: text('seed').notNull(),
  version: integer('version').notNull().default(0),
  madeAt: instant('made_at').notNull(),
  /** Of the key of the busy feed; null for a feed that was made before there were two. */
  busyHash: text('busy_hash'),
});

/** The second factor of an account: codes by time. */
export const secondFactors = sqliteTable('second_factors', {
  accountId: text('account_id').primaryKey(),
  /** Of which the shared secret is made, with a secret; null where it is off. */
  seed: text('seed'),
  /** The step of time of the last code that counted: only those of later steps do. */
  lastStep: integer('last_step').notNull(),
});

/** Whoever has ever booked with a provider, with how often they came and how often not; triggers keep it. */
export const people = sqliteTable(
  'people',
  {
    providerId: text('provider_id').notNull(),
    personId: text('person_id').notNull(),
    nameFolded: text('name_folded').notNull(),
    seen: integer('seen').notNull().default(0),
    excused: integer('excused').notNull().default(0),
    missed: integer('missed').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.personId] })],
);
