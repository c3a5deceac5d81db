import * as z from 'zod/mini';
import { characters, given, isObject, line, paragraph, timeZone } from '../input/fields';
import { limits } from '../input/limits';

export const roles = ['Consumer', 'Provider'] as const;
export type Role = (typeof roles)[number];

/** Who is asking, from the signed cookie. That the session still stands is checked with each read and write. */
export type Actor = {
  accountId: string;
  sessionId: string;
  role: Role;
  timeZone: string;
  /** The zone is the one in which days and times were typed: where it has changed, nothing is to be written in another. */
  isZoneShown?: true;
};

/** A browser in which somebody has logged in: a name of its own, and the account. */
export type Device = { id: string; accountId: string };

/** What every screen knows: who is reading, in which zone, and a one-time key for the forms of this page. */
export type Shell = {
  once: string;
  /** The account's zone, else what the edge saw; null where nobody knows. */
  readerZone: string | null;
  /** Which year it is for the reader, in four digits. */
  year: string;
  /** Names are null where storage could not be asked. */
  reader: { displayName: string | null; username: string | null; role: Role } | null;
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
};

const username = line('Username', limits.username.max, limits.username.min).check(
  z.regex(/^[A-Za-z0-9._-]*$/, 'Username can have only letters, digits, dots, underscores and hyphens.'),
);

const { min, max } = limits.password;
const password = z.string('Password is missing.').check(
  z.refine((word) => characters(word) >= min, `Password needs at least ${min} characters.`),
  z.refine((word) => characters(word) <= max, `Password can have at most ${max} characters.`),
  z.regex(/\p{Lu}/u, 'Password needs at least one capital letter.'),
  z.regex(/\d/, 'Password needs at least one number.'),
  z.meta({ minLength: min, maxLength: max, format: 'password' }),
);

const displayName = line('Full name or company name', limits.displayName);
const location = line('City', limits.location);
const description = paragraph('Description', limits.description);

/** `name` may stand for `displayName`; a role is taken in upper and lower case; only a provider says where and what. */
function registrant(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const { location, description, ...known } = sent;
  const role = roles.find((one) => typeof sent.role === 'string' && one.toLowerCase() === sent.role.toLowerCase());
  const place = role === 'Provider' && { location: location ?? '', description };
  return { ...known, displayName: sent.displayName ?? sent.name, role, ...place };
}

/** What registration takes; a provider also says where, and if they like, what. */
export const registration = z.pipe(
  z.transform(registrant),
  z
    .object({
      // In the order of the form, so that what is wrong is said in it.
      displayName,
      username,
      role: z.enum(roles, 'Choose a role: Consumer or Provider.'),
      location: z.optional(location),
      description: z.optional(description),
      timeZone,
      password,
    })
    .register(z.globalRegistry, {
      anyOf: [{ properties: { role: { const: 'Consumer' } } }, { required: ['location'] }],
      description: 'A provider says where: the city.',
    }),
);
export type Registration = z.output<typeof registration>;

/** What a login takes. That a password breaks a rule is not said here: it is simply wrong. */
export const credentials = z.object({
  username: given('Username').check(z.trim()),
  password: given('Password'),
});
export type Credentials = z.output<typeof credentials>;

/** What of a profile its owner may change. */
export const consumerProfile = z.object({ displayName, timeZone });
/** A provider's too: with their city and what they say of themselves. */
export const providerProfile = z.extend(consumerProfile, { location, description });
export type ProfileChange = z.output<typeof consumerProfile> & { location?: string; description?: string | null };

/** What a change of password takes: the present one and the new one. */
export const passwordChange = z.object({ password: credentials.shape.password, newPassword: password });
export type PasswordChange = z.output<typeof passwordChange>;
