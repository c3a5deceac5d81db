import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import type { Fault } from '../errors';
import {
  characters,
  email,
  fault,
  flag,
  isObject,
  line,
  paragraph,
  phone,
  requiredText,
  seenName,
  timeZone,
  tooLong,
} from '../input/fields';
import { limits } from '../input/limits';
import { isMostUsed, isName, isProductName, weakWords } from '../login/weak-passwords';
import { type Language, type Locale, languageOf } from '../words/languages';
import type { Payee } from './iban';
import { isOnePayee, payeeAfter, payeeChange } from './payee';

export const roles = ['Consumer', 'Provider'] as const;
export type Role = (typeof roles)[number];

/** The account in the signed cookie. Each read and write checks that its session is still open. */
export type Actor = {
  accountId: string;
  sessionId: string;
  role: Role;
  timeZone: string;
  /**
   * Set if the reader saw and typed times in this zone. If the account's zone has changed since, nothing may be
   * written.
   */
  isZoneShown?: true;
  isGuest?: true; // as the cookie says, which may be older than a registration
  /** The account that is logged in, where it acts for its shop or a colleague, whose account is then `accountId`. */
  memberId?: string;
  isShop?: true; // the actor acts for their shop
  lang?: Language; // the account's own; left out if it has none, and for a guest
};

type Reader = { accountId: string } | null | undefined;

/** The row is among the reader's own things, as a provider or host. @see ownedBy, which asks that in SQL */
export const isOwnedBy = (reader: Reader, { providerId }: { providerId: string | null }): boolean =>
  reader?.accountId === providerId;

/** A browser in which somebody has logged in. */
export type Device = { id: string; accountId: string };

export type Shell = {
  once: string;
  isRefused?: true; // set on the page of a refused form
  readerZone: string | null; // the account's zone, or the edge's guess
  year: string; // four digits
  locale: Locale;
  weekStart: number; // the day on which the reader's weeks begin, 0 (Sunday) to 6
  /** Null for strangers. The names are null if the database could not be asked; a guest has no username. */
  reader: {
    displayName: string | null;
    username: string | null;
    role: Role;
    isGuest: boolean;
    hasLanguage?: true; // the account's own, which counts before that of a browser
    unread: number; // at most `mostUnread`
    isAtDesk?: true; // they work in the books of all colleagues of their shop
  } | null;
  /** Whose book this page is of, where it is not the reader's own. */
  book?: { username: string; displayName: string; isShop?: true };
  /** The provider whose page another site shows in a frame. */
  framed?: { name: string; location: string };
};

/** An account as its owner sees it. */
export type Profile = {
  displayName: string;
  username: string | null; // null for a guest
  role: Role;
  location: string | null;
  description: string | null;
  address: string | null; // only the clients of a provider see it
  phone: string | null;
  payBy: Payee | null;
  timeZone: string;
  /** The language of its screens and mails; null if each device has its own. */
  lang: string | null;
  email: string | null;
};

export const isGuest = ({ username }: { username: string | null }): boolean => username === null;

const username = line(msg`Username`, limits.username.max, limits.username.min).check(
  z.regex(/^[A-Za-z0-9._-]*$/, fault(msg`Username can have only letters, digits, dots, underscores and hyphens.`)),
);

const { min, max } = limits.password;
const tooShort = msg`Password needs at least ${plural({ min }, { one: '# character', other: '# characters' })}.`;
const password = z.string(fault(msg`Password is missing.`)).check(
  z.refine((word) => characters(word) >= min, fault(tooShort)),
  z.refine((word) => characters(word) <= max, fault(tooLong(msg`Password`, max))),
  z.regex(/\p{Lu}/u, fault(msg`Password needs at least one capital letter.`)),
  z.regex(/\d/, fault(msg`Password needs at least one number.`)),
  z.refine((word) => !isMostUsed(word), fault(weakWords.mostUsed)),
  z.refine((word) => !isProductName(word), fault(weakWords.product)),
  z.meta({ minLength: min, maxLength: max, format: 'password' }),
);

export const displayName = seenName(msg`Full name or company name`, limits.displayName);
const location = seenName(msg`City`, limits.location);
const description = paragraph(msg`Description`, limits.description);

// Takes `name` for `displayName`, and a role in upper or lower case. Only a provider has a city and a description.
function registrant(input: unknown): unknown {
  if (!isObject(input)) return input;
  const { location, description, ...rest } = input;
  const role = roles.find(
    (known) => typeof input.role === 'string' && known.toLowerCase() === input.role.toLowerCase(),
  );
  const place = role === 'Provider' && { location: location ?? '', description };
  return { ...rest, displayName: input.displayName ?? input.name, role, ...place };
}

const isNotThe = (name: 'username' | 'displayName') =>
  z.refine<Record<string, unknown>>(
    (input) =>
      !(typeof input.password === 'string' && typeof input[name] === 'string' && isName(input.password, input[name])),
    { path: ['password'], message: fault(weakWords[name]), when: ({ value }) => isObject(value) },
  );

export const registration = z.pipe(
  z.transform(registrant),
  z
    .object({
      // Faults come in the order of these fields, which is the form's.
      role: z.enum(roles, fault(msg`Choose a role: Consumer or Provider.`)),
      displayName,
      username,
      email,
      location: z.optional(location),
      description: z.optional(description),
      timeZone,
      password,
    })
    .check(isNotThe('username'), isNotThe('displayName'))
    .register(z.globalRegistry, {
      // In an allOf, because makers of clients take an anyOf beside properties for another input, which may be anything.
      allOf: [{ anyOf: [{ properties: { role: { const: 'Consumer' } } }, { required: ['location'] }] }],
      description: 'A provider says where: the city.',
    }),
);
export type Registration = z.output<typeof registration>;

export const withUsername = z.object({ username });

/** The username in an input; undefined if the username itself is wrong. */
export const nameOf = (input: unknown): string | undefined => z.safeParse(withUsername, input).data?.username;

export const takenFault = (name: string): Fault => ({
  field: 'username',
  message: msg`The username "${name}" is already taken.`,
});

/** A login doesn't check the password against the rules: one that breaks them is just wrong. */
export const credentials = z.object({
  username: requiredText(msg`Username`).check(z.trim()),
  password: requiredText(msg`Password`),
  /** The current code of the app, or a recovery code, if the account has a second factor. */
  code: z.optional(z.string()),
});
export type Credentials = z.output<typeof credentials>;

// A language that we don't speak is passed over, as in an address.
const lang = z.optional(
  z.pipe(
    z.nullable(z.string(fault(msg`Language must be text.`))),
    z.transform((text) => (text ? (languageOf(text) ?? undefined) : null)),
  ),
);
export const consumerProfile = z.object({ displayName, timeZone, lang });
const address = z
  .pipe(
    z.optional(z.nullable(z.string(fault(msg`Address must be text.`)))),
    z.transform((text) => text?.trim() || null),
  )
  .register(z.globalRegistry, { maxLength: limits.address });
const isAddress = (text: string | null) =>
  text === null || z.safeParse(line(msg`Address`, limits.address), text).success;
const { address: longestAddress } = limits;
const addressWords = msg`Address can have at most ${plural({ longestAddress }, { one: '# character', other: '# characters' })}, in one line.`;
export const providerProfile = z.extend(consumerProfile, {
  location,
  description,
  address: address.check(z.refine(isAddress, fault(addressWords))),
  phone,
});
export type ProfileChange = z.output<typeof consumerProfile> & { payBy?: Payee | null } & Partial<
    Pick<z.output<typeof providerProfile>, 'location' | 'description' | 'address' | 'phone'>
  >;

/** A change of the profile. A call may leave fields out. */
export const profileChange = z
  .object({
    ...payeeChange,
    displayName: z.optional(displayName),
    timeZone,
    lang,
    location: z.optional(location),
    description: z.optional(description),
    address: z.optional(providerProfile.shape.address),
    phone: z.optional(phone),
  })
  .check(isOnePayee);

export const passwordChange = z.object({
  password: credentials.shape.password,
  newPassword: password,
  endFeeds: flag(msg`Ending feeds`),
  endKeys: flag(msg`Ending keys`),
});
export type PasswordChange = z.output<typeof passwordChange>;

export const changedProfile = (profile: Profile, change: Partial<z.output<typeof profileChange>>): ProfileChange => {
  const present = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const { displayName, timeZone, lang, location, description, address, phone } = {
    ...profile,
    ...present,
  } as Profile;
  return {
    displayName,
    timeZone,
    lang: lang as Language | null,
    ...(profile.role === 'Provider' && {
      location: location ?? undefined,
      description,
      address,
      phone,
      payBy: payeeAfter(profile.payBy, change),
    }),
  };
};
