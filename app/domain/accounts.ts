import * as z from 'zod/mini';
import { anyObject, given, line, paragraph, timeZone } from './fields';
import { limits } from './limits';

export type Role = 'Consumer' | 'Provider';

/** Who is asking, from the signed cookie. That the session still stands is checked with each read and write. */
export type Actor = { accountId: string; sessionId: string; role: Role; timeZone: string };

/** An account as its owner sees it. */
export type Profile = {
  displayName: string;
  username: string;
  role: Role;
  location: string | null;
  description: string | null;
  timeZone: string;
};

const username = line('Username', limits.username, 3).check(
  z.refine(
    (name) => name === '' || /^[A-Za-z0-9._-]+$/.test(name),
    'Username can have only letters, digits, dots, underscores and hyphens.',
  ),
);

const password = z.string('Password is missing.').check(
  z.refine((word) => [...word].length >= 8, 'Password needs at least 8 characters.'),
  z.refine((word) => [...word].length <= limits.password, `Password can have at most ${limits.password} characters.`),
  z.refine((word) => /\p{Lu}/u.test(word), 'Password needs at least one capital letter.'),
  z.refine((word) => /\d/.test(word), 'Password needs at least one number.'),
);

const displayName = line('Full name or company name', limits.displayName);
const location = line('City', limits.location);
const description = paragraph('Description', limits.description);

const consumer = z.object({
  role: z.enum(['Consumer', 'Provider'], 'Choose a role: Consumer or Provider.'),
  username,
  displayName,
  password,
  timeZone,
});
const provider = z.extend(consumer, { location, description });

/** `name` is the other reading of `displayName`; a role is known in any case. */
function registrant(sent: Record<string, unknown>): Record<string, unknown> {
  const role = typeof sent.role === 'string' ? sent.role.toLowerCase() : undefined;
  return {
    ...sent,
    displayName: sent.displayName ?? sent.name,
    role: role === 'provider' ? 'Provider' : role === 'consumer' ? 'Consumer' : undefined,
  };
}

/** What registration takes; a provider also says where, and if they like, what. */
export const registration = z.pipe(
  z.pipe(anyObject, z.transform(registrant)),
  z.transform((sent, context): z.output<typeof consumer> & { location?: string; description?: string | null } => {
    const read = z.safeParse(sent.role === 'Provider' ? provider : consumer, sent);
    if (read.success) return read.data;
    context.issues.push(...read.error.issues.map((issue) => ({ ...issue, input: undefined })));
    return z.NEVER;
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
export const providerProfile = z.extend(consumerProfile, { location, description });
export type ProfileChange = z.output<typeof consumerProfile> & { location?: string; description?: string | null };

export const passwordChange = z.object({ password: credentials.shape.password, newPassword: password });
export type PasswordChange = z.output<typeof passwordChange>;
