import * as z from 'zod/mini';
import type { BusyFeed } from '../../domain/busy/feeds';
import type { DeviceSession } from '../../domain/login/devices.server';
import { kinds, linkOf, type Message, sentenceOf } from '../../domain/messages/messages';
import { isGuest, type Profile, roles } from '../../domain/profile/accounts';
import { colours, heads } from '../../domain/profile/looks';
import { askEmail, onOff, openTo, type Rules } from '../../domain/profile/rules';
import type { ProviderRow, PublicProvider } from '../../domain/slots/providers.server';
import type { PublicShop } from '../../domain/slots/shop-times.server';
import { type Instant, machineText } from '../../domain/time/clock';
import { inEnglish } from '../../domain/words/english';
import { count, instant, named, textOrNone } from './shape-parts';
import { mailHeld, payeeJson, payeeShape } from './shapes';

/* The JSON of an account, of its news and of providers. */

export const profileJson = named(
  'Profile',
  z.object({
    displayName: z.string(),
    username: textOrNone,
    role: z.enum(roles),
    location: textOrNone,
    description: textOrNone,
    address: textOrNone,
    phone: textOrNone,
    ...payeeJson,
    timeZone: z.string(),
    lang: textOrNone,
    email: textOrNone,
    isGuest: z.boolean(),
  }),
);

/** With the question whose address it is. */
export const registeredJson = named('Registered', z.extend(profileJson, mailHeld));

/** An account, in `Guest`, `Register`, `Login` and `Profile`. */
export const profileShape = (account: Profile): z.output<typeof profileJson> => ({
  displayName: account.displayName,
  username: account.username,
  role: account.role,
  location: account.location,
  description: account.description,
  address: account.address,
  phone: account.phone,
  ...payeeShape(account.payBy),
  timeZone: account.timeZone,
  lang: account.lang,
  email: account.email,
  isGuest: isGuest(account),
});

const countOrNone = z.nullable(count);
export const rulesJson = named(
  'Rules',
  z.object({
    openTo: z.enum(openTo),
    askEmail: z.enum(askEmail),
    askPhone: z.enum(askEmail),
    notice: count,
    cancelUntil: count,
    horizonDays: countOrNone,
    perPerson: countOrNone,
    perDay: countOrNone,
    partiesBlock: z.boolean(),
    colour: z.enum(colours),
    head: z.enum(heads),
    keepAnswersDays: countOrNone,
    waitlist: z.enum(onOff),
    embedOn: z.array(z.string()),
  }),
);

export const rulesShape = (rules: Rules): z.output<typeof rulesJson> => ({
  openTo: rules.openTo,
  askEmail: rules.askEmail,
  askPhone: rules.askPhone,
  notice: rules.notice,
  cancelUntil: rules.cancelUntil,
  horizonDays: rules.horizonDays,
  perPerson: rules.perPerson,
  perDay: rules.perDay,
  partiesBlock: rules.partiesBlock,
  colour: rules.colour,
  head: rules.head,
  keepAnswersDays: rules.keepAnswersDays,
  waitlist: rules.waitlist,
  embedOn: rules.embedOn,
});

/** When a provider's clients and guests get reminders. */
export const remindersJson = named('Reminders', z.object({ reminders: z.array(count) }));

export const busyFeedJson = named(
  'BusyFeed',
  z.object({
    id: z.string(),
    name: z.string(),
    host: z.string(),
    readAt: z.nullable(instant),
    events: count,
    doubts: z.array(z.string()),
  }),
);

export const busyFeedShape = ({ id, name, host, readAt, events, doubts }: BusyFeed): z.output<typeof busyFeedJson> => ({
  id,
  name,
  host,
  readAt: readAt === null ? null : machineText(readAt),
  events,
  doubts: doubts.map(inEnglish),
});

export const providerJson = named(
  'Provider',
  z.object({
    username: z.string(),
    displayName: z.string(),
    location: textOrNone,
    description: textOrNone,
    shop: z.optional(z.string()).check(z.meta({ description: 'The username of the shop that they are in.' })),
    isShop: z
      .optional(z.literal(true))
      .check(z.meta({ description: 'That several people are booked under this name.' })),
  }),
);

export const providerShape = ({
  username,
  displayName,
  location,
  description,
  shop,
  isShop,
}: Omit<ProviderRow, 'timeZone' | 'nextAt' | 'shopName'>): z.output<typeof providerJson> => ({
  username,
  displayName,
  location,
  description,
  ...(shop !== null && { shop }),
  ...(isShop && { isShop }),
});

export const publicProviderJson = named(
  'PublicProvider',
  z.object({
    ...providerJson.shape,
    location: z.string(),
    address: textOrNone,
    phone: textOrNone,
    timeZone: z.string(),
    openTo: z.enum(openTo),
    nextFree: z.nullable(instant),
    people: z
      .optional(
        z.array(
          z.object({
            username: z.string(),
            displayName: z.string(),
            description: textOrNone,
            nextFree: z.nullable(instant),
          }),
        ),
      )
      .check(z.meta({ description: 'Of a shop: who takes appointments there, in the order of its page.' })),
  }),
);

const instantOrNone = (at: Instant | null) => (at === null ? null : machineText(at));

/** A shop in the shape of a provider, with its people. Whom it is open to, each of them says. */
export const publicShopShape = ({
  people,
  address,
  phone,
  timeZone,
  ...shop
}: PublicShop): z.output<typeof publicProviderJson> => ({
  ...providerShape({ ...shop, shop: null, isShop: true }),
  location: shop.location,
  address,
  phone,
  timeZone,
  openTo: people.length === 0 || people.some(({ openTo }) => openTo === 'anyone') ? 'anyone' : 'accounts',
  nextFree: instantOrNone(people.reduce<Instant | null>((first, { nextAt }) => earlier(first, nextAt), null)),
  people: people.map(({ username, displayName, description, nextAt }) => ({
    username,
    displayName,
    description,
    nextFree: instantOrNone(nextAt),
  })),
});

const earlier = (one: Instant | null, other: Instant | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

export const publicProviderShape = ({
  username,
  displayName,
  location,
  description,
  address,
  phone,
  timeZone,
  openTo,
  nextAt,
  shop,
  isShop,
}: PublicProvider): z.output<typeof publicProviderJson> => ({
  ...providerShape({ username, displayName, location, description, shop, isShop }),
  location,
  address,
  phone,
  timeZone,
  openTo,
  nextFree: instantOrNone(nextAt),
});

export const newsJson = named(
  'News',
  z.object({
    id: z.string(),
    kind: z.enum(kinds),
    text: z.string(),
    at: instant,
    isRead: z.boolean(),
    link: z.string(),
  }),
);

/** A line of the caller's news; `link` is the path of the page that it is about. */
export const newsShape = (message: Message): z.output<typeof newsJson> => ({
  id: message.id,
  kind: message.kind,
  text: inEnglish(sentenceOf(message)),
  at: machineText(message.at),
  isRead: message.isRead,
  link: linkOf(message),
});

export const sessionJson = named(
  'Session',
  z.object({ id: z.string(), createdAt: instant, lastUsedAt: instant, device: z.string(), isThis: z.boolean() }),
);

/** One login of the caller; `lastUsedAt` is exact to the day. */
export const sessionShape = (session: DeviceSession): z.output<typeof sessionJson> => ({
  id: session.id,
  createdAt: machineText(session.createdAt),
  lastUsedAt: machineText(session.lastUsedAt),
  device: inEnglish(session.device),
  isThis: session.isThis,
});

const rows = z.array(z.record(z.string(), z.unknown()));

/** All data about the caller: every column of each row, so that nothing is left out. */
export const exportJson = named(
  'Export',
  z.object({
    exportedAt: instant,
    account: z.record(z.string(), z.unknown()),
    shop: z.nullable(z.record(z.string(), z.unknown())),
    formerShops: rows,
    sessions: rows,
    people: rows,
    booked: rows,
    published: rows,
    appointments: rows,
    hours: rows,
    otherCalendars: rows,
    busyTimes: rows,
    services: rows,
    webhooks: rows,
    templates: rows,
    hosted: rows,
    invited: rows,
    answered: rows,
    waitsFor: rows,
    mergedCards: rows,
    standingTimes: rows,
    keptTimes: rows,
    waiting: rows,
    messages: rows,
  }),
);
