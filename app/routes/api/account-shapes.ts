import * as z from 'zod/mini';
import { isGuest, type Profile, roles } from '../../domain/accounts/accounts';
import type { DeviceSession } from '../../domain/accounts/devices.server';
import type { ProviderRow, PublicProvider } from '../../domain/accounts/providers.server';
import { askEmail, openTo, type Rules } from '../../domain/accounts/rules';
import { kinds, linkOf, type Message, sentenceOf } from '../../domain/messages/messages';
import { machineText } from '../../domain/time/clock';
import { count, instant, named, textOrNone } from './shape-parts';

/* What an account sees of itself, of its news and of providers. */

export const profileJson = named(
  'Profile',
  z.object({
    displayName: z.string(),
    username: textOrNone,
    role: z.enum(roles),
    location: textOrNone,
    description: textOrNone,
    timeZone: z.string(),
    email: textOrNone,
    isGuest: z.boolean(),
  }),
);

/** The account in `Guest`, `Register`, `Login` and `Profile`. */
export const profileShape = (account: Profile): z.output<typeof profileJson> => ({
  displayName: account.displayName,
  username: account.username,
  role: account.role,
  location: account.location,
  description: account.description,
  timeZone: account.timeZone,
  email: account.email,
  isGuest: isGuest(account),
});

const countOrNone = z.nullable(count);
export const rulesJson = named(
  'Rules',
  z.object({
    openTo: z.enum(openTo),
    askEmail: z.enum(askEmail),
    notice: count,
    cancelUntil: count,
    horizonDays: countOrNone,
    perPerson: countOrNone,
    perDay: countOrNone,
    keepAnswersDays: countOrNone,
  }),
);

/** A provider's rules. */
export const rulesShape = (rules: Rules): z.output<typeof rulesJson> => ({
  openTo: rules.openTo,
  askEmail: rules.askEmail,
  notice: rules.notice,
  cancelUntil: rules.cancelUntil,
  horizonDays: rules.horizonDays,
  perPerson: rules.perPerson,
  perDay: rules.perDay,
  keepAnswersDays: rules.keepAnswersDays,
});

/** When a provider's clients and guests are reminded. */
export const remindersJson = named('Reminders', z.object({ reminders: z.array(count) }));

export const providerJson = named(
  'Provider',
  z.object({ username: z.string(), displayName: z.string(), location: textOrNone, description: textOrNone }),
);

/** A provider in `GetProviders`. */
export const providerShape = ({
  username,
  displayName,
  location,
  description,
}: ProviderRow): z.output<typeof providerJson> => ({ username, displayName, location, description });

export const publicProviderJson = named(
  'PublicProvider',
  z.object({
    ...providerJson.shape,
    location: z.string(),
    timeZone: z.string(),
    openTo: z.enum(openTo),
    nextFree: z.nullable(instant),
  }),
);

/** A provider on their public page, with their next free time. */
export const publicProviderShape = ({
  username,
  displayName,
  location,
  description,
  timeZone,
  openTo,
  nextAt,
}: PublicProvider): z.output<typeof publicProviderJson> => ({
  username,
  displayName,
  location,
  description,
  timeZone,
  openTo,
  nextFree: nextAt === null ? null : machineText(nextAt),
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

/** One line of the caller's news; `link` is the path of the page that it is about. */
export const newsShape = (message: Message): z.output<typeof newsJson> => ({
  id: message.id,
  kind: message.kind,
  text: sentenceOf(message),
  at: machineText(message.at),
  isRead: message.isRead,
  link: linkOf(message),
});

export const sessionJson = named(
  'Session',
  z.object({ id: z.string(), createdAt: instant, lastUsedAt: instant, device: z.string(), isThis: z.boolean() }),
);

/** One login of the caller; `lastUsedAt` is exact to the day. */
export const sessionShape = (one: DeviceSession): z.output<typeof sessionJson> => ({
  id: one.id,
  createdAt: machineText(one.createdAt),
  lastUsedAt: machineText(one.lastUsedAt),
  device: one.device,
  isThis: one.isThis,
});

const rows = z.array(z.record(z.string(), z.unknown()));

/** All that the product has about the caller: every column of each row, so that nothing can be left out. */
export const exportJson = named(
  'Export',
  z.object({
    exportedAt: instant,
    account: z.record(z.string(), z.unknown()),
    sessions: rows,
    booked: rows,
    published: rows,
    hours: rows,
    templates: rows,
    hosted: rows,
    invited: rows,
    answered: rows,
    messages: rows,
  }),
);
