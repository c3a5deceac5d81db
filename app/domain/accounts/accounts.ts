import * as z from 'zod/mini';
import type { Fault } from '../errors';
import { characters, email, given, isObject, line, paragraph, seenName, timeZone } from '../input/fields';
import { limits } from '../input/limits';
import { isMostUsed, isName, isProductName, weak } from './weak-passwords';

export const roles = ['Consumer', 'Provider'] as const;
export type Role = (typeof roles)[number];

/** The account that asks, by the signed cookie. Each read and write checks that its session still stands. */
export type Actor = {
  accountId: string;
  sessionId: string;
  role: Role;
  timeZone: string;
  /**
   * The reader typed days and times in this zone: if the account's zone has changed since, nothing may be written in
   * another.
   */
  isZoneShown?: true;
  /** A guest, as their cookie says; it may be older than their registration. */
  isGuest?: true;
};

/** A browser in which someone has logged in: its own id, and the account. */
export type Device = { id: string; accountId: string };

/** What each screen knows: who is reading, in which zone, and a one-time key for the forms of this page. */
export type Shell = {
  once: string;
  /** A form was refused, and this is its page. */
  isRefused?: true;
  /** The account's zone, else the edge's guess; null where there is neither. */
  readerZone: string | null;
  /** The reader's year, in four digits. */
  year: string;
  /** Names are null where storage could not be asked; a guest has no username. */
  reader: {
    displayName: string | null;
    username: string | null;
    role: Role;
    isGuest: boolean;
    /** How many messages are unread, `mostUnread` at most. */
    unread: number;
  } | null;
};

/** An account as its owner sees it. */
export type Profile = {
  displayName: string;
  /** Null for a guest. */
  username: string | null;
  role: Role;
  location: string | null;
  description: string | null;
  timeZone: string;
  email: string | null;
};

/** A guest is an account without a login. */
export const isGuest = ({ username }: { username: string | null }): boolean => username === null;

const username = line('Username', limits.username.max, limits.username.min).check(
  z.regex(/^[A-Za-z0-9._-]*$/, 'Username can have only letters, digits, dots, underscores and hyphens.'),
);

const { min, max } = limits.password;
const password = z.string('Password is missing.').check(
  z.refine((word) => characters(word) >= min, `Password needs at least ${min} characters.`),
  z.refine((word) => characters(word) <= max, `Password can have at most ${max} characters.`),
  z.regex(/\p{Lu}/u, 'Password needs at least one capital letter.'),
  z.regex(/\d/, 'Password needs at least one number.'),
  z.refine((word) => !isMostUsed(word), weak.mostUsed),
  z.refine((word) => !isProductName(word), weak.product),
  z.meta({ minLength: min, maxLength: max, format: 'password' }),
);

export const displayName = seenName('Full name or company name', limits.displayName);
const location = seenName('City', limits.location);
const description = paragraph('Description', limits.description);

/** Accepts `name` for `displayName` and a role in any case; drops city and description of anyone but a provider. */
function registrant(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const { location, description, ...known } = sent;
  const role = roles.find((one) => typeof sent.role === 'string' && one.toLowerCase() === sent.role.toLowerCase());
  const place = role === 'Provider' && { location: location ?? '', description };
  return { ...known, displayName: sent.displayName ?? sent.name, role, ...place };
}

/** A registration's password is not its name: said along with whatever else is wrong. */
const notThe = (name: 'username' | 'displayName') =>
  z.refine<Record<string, unknown>>(
    (sent) =>
      !(typeof sent.password === 'string' && typeof sent[name] === 'string' && isName(sent.password, sent[name])),
    { path: ['password'], message: weak[name], when: ({ value }) => isObject(value) },
  );

/** The input of a registration. A provider also gives a city and, if they like, a description. */
export const registration = z.pipe(
  z.transform(registrant),
  z
    .object({
      // In the order of the form, so that faults come in that order.
      displayName,
      username,
      email,
      role: z.enum(roles, 'Choose a role: Consumer or Provider.'),
      location: z.optional(location),
      description: z.optional(description),
      timeZone,
      password,
    })
    .check(notThe('username'), notThe('displayName'))
    .register(z.globalRegistry, {
      anyOf: [{ properties: { role: { const: 'Consumer' } } }, { required: ['location'] }],
      description: 'A provider says where: the city.',
    }),
);
export type Registration = z.output<typeof registration>;

const named = z.object({ username });

/** The username of a registration that is otherwise refused; undefined where the username itself breaks a rule. */
export const nameOf = (sent: unknown): string | undefined => z.safeParse(named, sent).data?.username;

/** The fault of a username that somebody else has. */
export const takenFault = (name: string): Fault => ({
  field: 'username',
  message: `The username "${name}" is already taken.`,
});

/** The input of a login. It has no rules for the password: one that breaks them is simply wrong. */
export const credentials = z.object({
  username: given('Username').check(z.trim()),
  password: given('Password'),
  /** Where the account has a second factor: a code of the moment, or a recovery code. */
  code: z.optional(z.string()),
});
export type Credentials = z.output<typeof credentials>;

/** The fields of a profile that its owner may change. */
export const consumerProfile = z.object({ displayName, timeZone });
/** The same for a provider, with city and description. */
export const providerProfile = z.extend(consumerProfile, { location, description });
export type ProfileChange = z.output<typeof consumerProfile> & { location?: string; description?: string | null };

/** The input of a change of password: the present one and the new one. */
export const passwordChange = z.object({ password: credentials.shape.password, newPassword: password });
export type PasswordChange = z.output<typeof passwordChange>;
