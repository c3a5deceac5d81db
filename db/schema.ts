import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { former, id, instant, jsonList, named, yesNo } from './columns';

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

/** Why another calendar could not be read. */
type Failure =
  | 'not_public'
  | 'too_many_redirects'
  | 'too_slow'
  | 'too_large'
  | 'wrong_type'
  | 'not_allowed'
  | 'not_found'
  | 'refused'
  | 'server_error'
  | 'unreachable'
  | 'no_calendar'
  | 'too_many_events'
  | 'sealed';

/** Hours by the week, and other ones on some dates. */
type StoredRange = { start: string; end: string; serviceId?: string };
type StoredPlan = {
  hours: (StoredRange & { day: number })[];
  except: { date: string; to?: string | null; hours: StoredRange[] }[];
  len: number;
  gap: number;
  ahead: number;
  serviceId?: string;
};

/** What somebody waits for, in their own terms. */
type StoredWish = {
  slotId: string | null;
  service: string | null;
  from: string | null;
  to: string | null;
  days: number[] | null;
  after: string | null;
  before: string | null;
  people: number;
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
  displayName: named('display_name', former.person).notNull(),
  displayFolded: text('display_folded').notNull(),
  displaySortKey: text('display_sort_key').notNull(),
  passwordHash: text('password_hash'),
  role: text('role', { enum: ['Consumer', 'Provider'] }).notNull(),
  timeZone: text('time_zone').notNull(),
  city: text('city').references(() => cities.folded),
  description: text('description'),
  /** Where a provider is found and called. */
  address: text('address'),
  phone: text('phone'),
  createdAt: instant('created_at').notNull(),
  openSlotsAtMost: integer('open_slots_at_most').notNull().default(0),
  email: text('email'),
  /** What stands for the address where mail is counted or refused. */
  emailHash: text('email_hash'),
  /** The provider who typed the address; null if its owner did. */
  emailBy: text('email_by'),
  /** Of a provider: who may book. */
  openTo: text('open_to', { enum: ['anyone', 'accounts'] })
    .notNull()
    .default('anyone'),
  /** Of a provider: whether a guest is asked for an e-mail address. */
  askPhone: text('ask_phone', { enum: ['no', 'optional', 'required'] })
    .notNull()
    .default('no'),
  askEmail: text('ask_email', { enum: ['no', 'optional', 'required'] })
    .notNull()
    .default('optional'),
  /** Until then the address gets what is about appointments and invitations, a provider's nothing but the question. */
  emailConfirmedAt: instant('email_confirmed_at'),
  /** Kinds of message that do not come by mail. */
  mailOff: jsonList<string>('mail_off').notNull().default([]),
  /** Of a provider: how many minutes before its start a slot can be booked no more. */
  notice: integer('notice').notNull().default(0),
  /** How many minutes before the start a booker can cancel or move no more; each booking keeps its own. */
  cancelUntil: integer('cancel_until').notNull().default(0),
  /** How many days ahead slots can be booked; null if there is no end. */
  horizonDays: integer('horizon_days'),
  /** How many coming appointments one person may have. */
  perPerson: integer('per_person'),
  /** How many booked appointments a day may have. */
  perDay: integer('per_day'),
  /** Of a provider: how many minutes before the start people are reminded. */
  reminders: jsonList<number>('reminders').notNull().default([1440]),
  /** Of a provider: after how many days the answers of past appointments are deleted; null if never. */
  keepAnswersDays: integer('keep_answers_days'),
  /** Whether people may wait for a time to come free. */
  waitlist: text('waitlist', { enum: ['on', 'off'] })
    .notNull()
    .default('on'),
  /** Of a provider: whether their own parties and meetups keep their time from being booked. */
  partiesBlock: integer('parties_block', { mode: 'boolean' }).notNull().default(true),
  /** Of a provider: how their page looks. */
  colour: text('colour', { enum: ['red', 'blue', 'green', 'plum', 'gold', 'slate'] })
    .notNull()
    .default('red'),
  head: text('head', { enum: ['plain', 'festive'] })
    .notNull()
    .default('plain'),
});

/** Each ending of each provider's two names, for the search; triggers keep them. */
export const providerNames = sqliteTable(
  'provider_names',
  { ending: text('ending').notNull(), providerId: text('provider_id').notNull() },
  (table) => [primaryKey({ columns: [table.ending, table.providerId] })],
);

/** A device that is logged in. Deleting the row logs it out. */
export const sessions = sqliteTable(
  'sessions',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** To the day: a session in use is noted once a day. */
    lastUsedAt: instant('last_used_at').notNull().default(0),
    /** What the browser calls itself, in a few words; null if it says nothing that we know. */
    device: text('device'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);

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
  displayName: named('display_name', former.template).notNull(),
  questions: jsonList<StoredQuestion>('questions').notNull(),
  listedAt: instant('listed_at').notNull(),
  replaces: text('replaces'),
  createdAt: instant('created_at').notNull(),
  retiredAt: instant('retired_at'),
});

/** Published time of a provider. No two slots of a provider overlap, in whatever state. */
export const slots = sqliteTable(
  'slots',
  {
    providerId: text('provider_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    /** Says the provider and the start, so that it is found without an index: see db/ids.ts. */
    id: text('id').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** Open, full, withdrawn. */
    state: integer('state').$type<0 | 1 | 2>().notNull().default(0),
    seats: integer('seats').notNull().default(1),
    /** How many seats are taken; the triggers of bookings keep it. */
    taken: integer('taken').notNull().default(0),
    /** The start of the booking that a full slot belongs to. */
    partOf: instant('part_of'),
    city: text('city').notNull(),
    localDate: text('local_date').notNull(),
    timeZone: text('time_zone').notNull(),
    /** Null: free time. */
    serviceId: text('service_id'),
    notes: text('notes'),
    templateId: text('template_id'),
    /** What was published together by hand. */
    publication: text('publication'),
    /** By hand, by hours, by hours that want it no longer. */
    madeBy: integer('made_by').$type<0 | 1 | 2>().notNull().default(0),
    /** When its provider withdrew it while it was open; null if they canceled its booking and kept the time. */
    withdrawnAt: instant('withdrawn_at'),
    /** Why, in the words of its provider. */
    reason: text('reason'),
    /** Something of `busyTimes` overlaps it; triggers keep it. */
    isBusy: integer('is_busy', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.startsAt] })],
);

/** When a provider has something else. Triggers keep the rows of their parties and meetups. */
export const busyTimes = sqliteTable(
  'busy_times',
  {
    providerId: text('provider_id').notNull(),
    /** The id of the party or meetup, or of the calendar that it was read from. */
    source: text('source').notNull(),
    startsAt: instant('starts_at').notNull(),
    /** A day later at most: what lasts longer has several rows. */
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.startsAt, table.source] })],
);

/** The days on which a provider has open slots; triggers keep them. */
export const openDays = sqliteTable(
  'open_days',
  {
    providerId: text('provider_id').notNull(),
    localDate: text('local_date').notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    /** Of those that are not busy, the start of the last one, 0 where all are busy; null if none is. */
    freeAt: instant('free_at'),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.localDate] })],
);

/** The days on which a provider has as many booked appointments as the rule `perDay` lets them have; triggers keep them. */
export const fullDays = sqliteTable(
  'full_days',
  { providerId: text('provider_id').notNull(), localDate: text('local_date').notNull() },
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

/** What a provider offers. */
export const services = sqliteTable(
  'services',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    nameFolded: text('name_folded').notNull(),
    minutes: integer('minutes').notNull(),
    /** How many minutes after it the provider has nothing else. */
    gap: integer('gap').notNull().default(0),
    price: text('price'),
    description: text('description'),
    seats: integer('seats').notNull().default(1),
    templateId: text('template_id'),
    isOffered: yesNo('is_offered').notNull().default(true),
    place: integer('place').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);

/** Whom a provider has had, or has written down: the provider's own card. Triggers make it with a first booking, and count who came. */
export const people = sqliteTable(
  'people',
  {
    providerId: text('provider_id').notNull(),
    /** Of the account that booked first, or is to. */
    id: text('id').notNull(),
    /** Null: the name of the account. */
    name: text('name'),
    nameFolded: text('name_folded').notNull(),
    email: text('email'),
    emailFolded: text('email_folded'),
    phone: text('phone'),
    /** What phone numbers are compared by. */
    phoneDigits: text('phone_digits'),
    note: text('note'),
    seen: integer('seen').notNull().default(0),
    excused: integer('excused').notNull().default(0),
    missed: integer('missed').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);

/** Who else a card is: the cards that were merged into it, and more addresses of guests. */
export const personAliases = sqliteTable(
  'person_aliases',
  {
    providerId: text('provider_id').notNull(),
    /** The id of a card, which is its account's, or an e-mail address. */
    alias: text('alias').notNull(),
    personId: text('person_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.alias] })],
);

/** Who has what time of a provider, or had it, with their answers. */
export const bookings = sqliteTable(
  'bookings',
  {
    providerId: text('provider_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    /** Says the provider and the start. Of a slot of one seat it is the slot's id. */
    id: text('id').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** The booking takes the slots that begin from its start until then. */
    keptUntil: instant('kept_until').notNull(),
    localDate: text('local_date').notNull(),
    timeZone: text('time_zone').notNull(),
    city: text('city').notNull(),
    notes: text('notes'),
    templateId: text('template_id'),
    /** The slot of several seats that it is in. */
    slotId: text('slot_id'),
    /** Held, booked, canceled. */
    status: integer('status').$type<0 | 1 | 2>().notNull(),
    people: integer('people').notNull().default(1),
    bookerId: text('booker_id').notNull(),
    /** The card of the booker. */
    personId: text('person_id').notNull(),
    serviceId: text('service_id'),
    /** As it was when booked. */
    serviceName: text('service_name'),
    price: text('price'),
    /** The bookings of a series have one id. */
    seriesId: text('series_id'),
    /** The write that made or ended several bookings at once: one message tells of all. */
    toldWith: text('told_with'),
    /** The standing time that it was booked for; it stays when that ends. */
    standingId: text('standing_id'),
    bookedAt: instant('booked_at').notNull(),
    /** In minutes before the start, as it stood when this was booked. */
    cancelUntil: integer('cancel_until').notNull().default(0),
    answers: jsonList<StoredAnswer>('answers').notNull().default([]),
    answeredAt: instant('answered_at'),
    heldUntil: instant('held_until'),
    wishId: text('wish_id'),
    canceledAt: instant('canceled_at'),
    canceledBy: text('canceled_by', { enum: ['provider', 'consumer'] }),
    /** In the words of whoever canceled or moved it. */
    reason: text('reason'),
    /** Canceled, and its time is not published again. */
    withdraws: yesNo('withdraws').notNull().default(false),
    /** The bookings that it was moved from and to. */
    movedFrom: text('moved_from'),
    movedBy: text('moved_by', { enum: ['provider', 'consumer'] }),
    movedTo: text('moved_to'),
    /** The first booking of a chain of moves: all are one entry in a calendar. Null: its own id. */
    calendarId: text('calendar_id'),
    /** Rises with each move and with the cancellation. */
    sequence: integer('sequence').notNull().default(0),
    /** Of which the key in the personal link is made, with a secret; null if there is none. */
    linkSeed: text('link_seed'),
    /** Of the code by which somebody booked by the provider takes the booking over. */
    claimHash: text('claim_hash'),
    /** Where mail about this one goes, where a guest has typed it at the personal link, in place of that of the account. */
    email: text('email'),
    emailHash: text('email_hash'),
    /** The provider's own. */
    privateNote: text('private_note'),
    /** As it was given with this booking. */
    phone: text('phone'),
    /** Whether the booker came, as the provider has marked it; null while nobody knows. */
    attendance: text('attendance', { enum: ['seen', 'excused', 'missed'] }),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.startsAt, table.id] })],
);

/** The seeds of personal links that a provider has replaced, until their bookings have passed. */
export const replacedLinks = sqliteTable(
  'replaced_links',
  {
    /** The first booking of the chain of moves. */
    bookingId: text('booking_id').notNull(),
    linkSeed: text('link_seed').notNull(),
    forgetAt: instant('forget_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.bookingId, table.linkSeed] })],
);

/** What a provider keeps for one of their people: a weekday and a time, booked whenever it is published. */
export const standingTimes = sqliteTable(
  'standing_times',
  {
    providerId: text('provider_id').notNull(),
    /** Also of the series of its bookings. */
    id: text('id').notNull(),
    personId: text('person_id').notNull(),
    bookerId: text('booker_id').notNull(),
    /** From Sunday, 0, and from midnight by the provider's clock. */
    day: integer('day').notNull(),
    minute: integer('minute').notNull(),
    weeks: integer('weeks').notNull(),
    fromDate: text('from_date').notNull(),
    untilDate: text('until_date'),
    /** Null: the slot is booked as it is. */
    serviceId: text('service_id'),
    setAt: instant('set_at').notNull(),
    /** The published dates on which it could not be kept, and why. */
    unkept: jsonList<[date: string, why: string]>('unkept').notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);

/** Who waits for a time of a provider; triggers hold for them what comes free. */
export const wishes = sqliteTable(
  'wishes',
  {
    providerId: text('provider_id').notNull(),
    /** The provider's id and 16 random digits. */
    id: text('id').notNull(),
    /** In line, with an offer, over. */
    state: integer('state').$type<0 | 1 | 2>().notNull().default(0),
    askedAt: instant('asked_at').notNull(),
    accountId: text('account_id').notNull(),
    linkSeed: text('link_seed').notNull(),
    asked: text('asked', { mode: 'json' }).$type<StoredWish>().notNull(),
    people: integer('people').notNull().default(1),
    serviceId: text('service_id'),
    /** The starts that fit, the second not included. */
    fromAt: instant('from_at').notNull(),
    untilAt: instant('until_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** A bit for each weekday from Sunday; null for all. */
    days: integer('days'),
    /** In minutes of the provider's day. */
    after: integer('after'),
    before: integer('before'),
    /** From when on clocks are so many minutes ahead of UTC: the provider's, and those of whoever waits. */
    clock: jsonList<[from: number, minutes: number]>('clock').notNull(),
    readerClock: jsonList<[from: number, minutes: number]>('reader_clock').notNull(),
    insteadOf: text('instead_of'),
    phone: text('phone'),
    /** The starts that were offered. */
    passed: jsonList<number>('passed').notNull().default([]),
    letPass: integer('let_pass').notNull().default(0),
    /** The booking that holds a time, or came of it. */
    offerId: text('offer_id'),
    heldUntil: instant('held_until'),
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);

/** What times a provider keeps published. */
export const hours = sqliteTable('hours', {
  providerId: text('provider_id').primaryKey(),
  plan: text('plan', { mode: 'json' }).$type<StoredPlan>().notNull(),
  notes: text('notes'),
  templateId: text('template_id'),
  /** Another one after each change by the provider, which created and withdrew so many slots. */
  version: text('version').notNull(),
  created: integer('created').notNull().default(0),
  withdrawn: integer('withdrawn').notNull().default(0),
  /** The last date that is published; blank if all is to be looked at anew. */
  carriedTo: text('carried_to').notNull(),
  /** When the job is to carry them on. */
  nextAt: instant('next_at').notNull(),
});

/** An event: a party has one link for all, a meetup a personal link for each name. */
export const parties = sqliteTable('parties', {
  id: id(),
  kind: text('kind', { enum: ['party', 'meetup'] }).notNull(),
  providerId: text('provider_id').notNull(),
  title: named('title', former.party).notNull(),
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
  /** Whether people who come are asked for an e-mail address and a phone number. */
  askEmail: text('ask_email', { enum: ['no', 'optional', 'required'] })
    .notNull()
    .default('optional'),
  askPhone: text('ask_phone', { enum: ['no', 'optional', 'required'] })
    .notNull()
    .default('no'),
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
    name: named('name', former.person).notNull(),
    nameSortKey: text('name_sort_key').notNull(),
    accepted: yesNo('accepted'),
    plusOnes: integer('plus_ones').notNull().default(0),
    answers: jsonList<StoredAnswer>('answers').notNull().default([]),
    answeredAt: instant('answered_at'),
    createdAt: instant('created_at').notNull(),
    /** SHA-256 in hexadecimal of the key in a guest's personal link; null if there is none. */
    linkHash: text('link_hash'),
    /**
     * Where mail about this one goes. Of a meetup's name: since when the host has it sent there, whether whoever has the link typed it,
     * and since when no more mail is wanted there. Of a guest: for this answer alone, in place of that of the account.
     */
    email: text('email'),
    emailHash: text('email_hash'),
    emailAt: instant('email_at'),
    emailIsOwn: yesNo('email_is_own').notNull().default(false),
    mailEndedAt: instant('mail_ended_at'),
    /** What whoever answers was asked for. */
    phone: text('phone'),
    /** The message to that address that a limit holds back. */
    heldMail: text('held_mail'),
    /** Of an account's own: when its party begins; a trigger keeps it. */
    partyStartsAt: instant('party_starts_at'),
  },
  ({ partyId, invitee }) => [primaryKey({ columns: [partyId, invitee] })],
);

/** The links of names that a host has replaced, until their meetups have passed. */
export const replacedInvitations = sqliteTable('replaced_invitations', {
  id: text('id').primaryKey(),
  partyId: text('party_id').notNull(),
  forgetAt: instant('forget_at').notNull(),
});

/** What people are told of: a line in their news, and where they have a confirmed address and want it, a mail. */
export const messages = sqliteTable('messages', {
  id: id(),
  accountId: text('account_id').notNull(),
  kind: text('kind').notNull(),
  bookingId: text('booking_id'),
  partyId: text('party_id'),
  actorId: text('actor_id'),
  data: text('data', { mode: 'json' }).notNull().default({}),
  createdAt: instant('created_at').notNull(),
  isRead: yesNo('is_read').notNull().default(false),
  email: text('email'),
  emailHash: text('email_hash'),
  /** The provider or host who typed the address. */
  senderId: text('sender_id'),
  /**
   * `asked`: the limits are about to judge it; `held`: they hold it back, `waiting`: until due_at; `dead`: given up, at
   * due_at; `dropped`: not sent, because what it was about is over.
   */
  mailState: text('mail_state', { enum: ['asked', 'held', 'waiting', 'due', 'leased', 'sent', 'dead', 'dropped'] }),
  tries: integer('tries').notNull().default(0),
  dueAt: instant('due_at'),
  reason: text('reason'),
  /** Of a mail to a name of a meetup, which is its host's message. */
  invitationId: text('invitation_id'),
});

/** The addresses at which somebody has said that they are not whom the mail is for. */
export const refusedAddresses = sqliteTable('refused_addresses', {
  emailHash: text('email_hash').primaryKey(),
  refusedAt: instant('refused_at').notNull(),
});

/** The addresses that a provider or host has typed and written to. */
export const mailContacts = sqliteTable(
  'mail_contacts',
  {
    senderId: text('sender_id').notNull(),
    emailHash: text('email_hash').notNull(),
    firstAt: instant('first_at').notNull(),
    /** Since when no more mail of theirs is wanted there. */
    endedAt: instant('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.senderId, table.emailHash] })],
);

/** Has a row while a local server lifts the limits of mail. */
export const liftedLimits = sqliteTable('lifted_limits', { name: text('name').primaryKey() });

/** How many minutes before a start anybody wants to be reminded; the usual 1440 is not kept. */
export const reminderTimes = sqliteTable('reminder_times', { minutes: integer('minutes').primaryKey() });

/** What lets somebody back in who has lost the password: each good once, kept as its HMAC. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { accountId: text('account_id').notNull(), codeHash: text('code_hash').notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.codeHash] })],
);

/** Another calendar of a provider, whose times block theirs. The address is sealed: see seals.server.ts. */
export const busyFeeds = sqliteTable(
  'busy_feeds',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    place: integer('place').notNull(),
    host: text('host').notNull(),
    sealed: text('sealed').notNull(),
    addedAt: instant('added_at').notNull(),
    etag: text('etag'),
    lastModified: text('last_modified'),
    digest: text('digest'),
    /** When it was last read, to the hour; null before. */
    readAt: instant('read_at'),
    /** When all of it was read, and not just that it is unchanged. */
    fullAt: instant('full_at'),
    events: integer('events').notNull().default(0),
    doubts: jsonList<string>('doubts').notNull().default([]),
    /** Why it could not be read; null if it could. */
    failure: text('failure').$type<Failure>(),
    /** When the provider was told of that. */
    toldAt: instant('told_at'),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
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
  /** Of which the shared secret is made, with a secret; null if it is off. */
  seed: text('seed'),
  /** The step of time of the last code that counted: only those of later steps do. */
  lastStep: integer('last_step').notNull(),
});
