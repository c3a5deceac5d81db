import * as z from 'zod/mini';
import { credentials, registration } from '../../domain/accounts/accounts';
import { registerAccount } from '../../domain/accounts/accounts.server';
import { emailChange, setEmail } from '../../domain/accounts/email.server';
import { guestDetails } from '../../domain/accounts/guests';
import { openGuest } from '../../domain/accounts/guests.server';
import { registerGuest } from '../../domain/accounts/joining.server';
import {
  askForNewPassword,
  linkIsSent,
  lostLogin,
  passwordReset,
  resetPassword,
} from '../../domain/accounts/lost-password.server';
import { makeRecoveryCodes, ownPassword } from '../../domain/accounts/recovery-codes.server';
import { findTakenName } from '../../domain/accounts/registration.server';
import { rulesChange } from '../../domain/accounts/rules';
import { getRules, setRules } from '../../domain/accounts/rules.server';
import { closeSession } from '../../domain/accounts/sessions.server';
import { makeFeed } from '../../domain/calendar/feeds.server';
import { conflict, notLoggedIn } from '../../domain/errors';
import { flag } from '../../domain/input/fields';
import { listNews, newsFilter } from '../../domain/messages/news.server';
import { remindersChange } from '../../domain/messages/reminders';
import { getReminders, setReminders } from '../../domain/messages/reminders.server';
import { answerJson, call, paged } from '../../http/api.server';
import { authenticate, guestOf, keepGuest, keepSession, originOf } from '../../http/login.server';
import { newsJson, newsShape, profileJson, profileShape, remindersJson, rulesJson, rulesShape } from './account-shapes';
import { ownData } from './own-data';

export const loader = answerJson('Account', {
  Register: call({
    method: 'POST',
    who: 'anyone',
    says: "Makes an account and logs it in. A guest's becomes that account.",
    body: registration,
    answers: profileJson,
    alsoWrong: async (context, body) =>
      findTakenName(context.db, body, { now: context.now, origin: await originOf(context) }),
    refuses: ['taken', 'conflict'],
    status: 201,
    async run(context, { body, key }) {
      const { db, actor: replaced, passwords, now, edge, device } = context;
      const once = { now, device, edgeZone: edge.timeZone, origin: await originOf(context), key, replaced };
      const guest = await guestOf(context);
      const { account, actor } = guest
        ? await registerGuest(db, passwords, guest, body, once)
        : await registerAccount(db, passwords, body, once);
      await keepSession(context, actor);
      return profileShape(account);
    },
  }),

  Login: call({
    method: 'POST',
    who: 'anyone',
    says: "Logs in; the cookie of the answer is the session. With `join=true` a guest's bookings and answers go along. Where the account has a second factor, `code` is needed.",
    query: z.object({ join: flag }),
    body: credentials,
    answers: profileJson,
    refuses: ['unauthenticated', 'conflict'],
    async run(context, { query, body }) {
      const { account } = await authenticate(context, { credentials: body, join: query.join });
      return profileShape(account);
    },
  }),

  Guest: call({
    method: 'POST',
    who: 'anyone',
    says: 'Makes a guest, an account without a login; the cookie of the answer is the session.',
    body: guestDetails,
    answers: profileJson,
    refuses: ['conflict'],
    status: 201,
    async run(context, { body, key }) {
      const { db, now, actor, viewer, edge, links, device } = context;
      if (actor && (await viewer())) throw conflict('You are logged in already.');
      const id = links.guestIdOf('call', edge.address, key, body.displayName, body.email ?? '');
      const newcomer = { ...body, id, device, edgeZone: edge.timeZone, origin: await originOf(context) };
      const guest = await openGuest(db, newcomer, now);
      await keepGuest(context, guest.actor);
      return profileShape(guest.account);
    },
  }),

  Profile: call({
    method: 'GET',
    who: 'member',
    says: "The caller's profile.",
    answers: profileJson,
    loggedOut: 400,
    async run({ viewer }) {
      const account = await viewer();
      if (!account) throw notLoggedIn();
      return profileShape(account);
    },
  }),

  IsProvider: call({
    method: 'GET',
    who: 'member',
    says: 'Whether the caller is a provider.',
    answers: z.boolean(),
    loggedOut: 400,
    run: async ({ actor }) => actor.role === 'Provider',
  }),

  GetNews: call({
    method: 'GET',
    who: 'member',
    says: 'What the caller was told: unread first, then the newest.',
    query: newsFilter,
    answers: newsJson,
    isPaged: true,
    run: async ({ db, actor }, { query: { page } }) => paged(await listNews(db, actor, page), newsShape),
  }),

  SetEmail: call({
    method: 'PUT',
    who: 'member',
    says: "Sets the caller's e-mail address and asks there whether it is theirs; null removes it.",
    body: emailChange,
    answers: profileJson,
    async run(context, { body }) {
      const { db, passwords, actor, now, viewer } = context;
      const isChanged = await setEmail(db, passwords, actor, body, { now, origin: await originOf(context) });
      if (isChanged) context.events.push('e-mail changed');
      const account = await viewer();
      if (!account) throw notLoggedIn();
      return profileShape({ ...account, email: body.email });
    },
  }),

  ForgotPassword: call({
    method: 'POST',
    who: 'anyone',
    says: 'Asks for a link that sets a new password. The answer is the same whoever it is.',
    body: lostLogin,
    answers: z.object({ message: z.string() }),
    status: 202,
    async run(context, { body }) {
      await askForNewPassword(context.db, body, { now: context.now, origin: await originOf(context) });
      return { message: linkIsSent };
    },
  }),

  ResetPassword: call({
    method: 'PUT',
    who: 'anyone',
    says: 'Sets a new password by the token of a link, or by a username and a recovery code; ends all sessions.',
    body: passwordReset,
    answers: z.boolean(),
    async run(context, { body }) {
      const { db, passwords, signatures, links, now } = context;
      await resetPassword(db, passwords, { signatures, links }, body, { now, origin: await originOf(context) });
      context.events.push('password changed');
      return true;
    },
  }),

  MakeRecoveryCodes: call({
    method: 'POST',
    who: 'member',
    says: 'Makes ten codes that let the caller back in without the password, each once, in place of those before.',
    body: ownPassword,
    answers: z.array(z.string()),
    status: 201,
    async run(context, { body, key }) {
      const { db, passwords, links, actor, now } = context;
      const once = { now, key, origin: await originOf(context) };
      return makeRecoveryCodes(db, passwords, links, actor, body.password, once);
    },
  }),

  GetRules: call({
    method: 'GET',
    who: 'Provider',
    says: 'Your rules: who may book, when, and how much.',
    answers: rulesJson,
    run: async ({ db, actor, now }) => rulesShape(await getRules(db, actor, now)),
  }),

  SetRules: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Changes your rules; a rule that is left out stays.',
    body: rulesChange,
    answers: rulesJson,
    run: async ({ db, actor, now }, { body }) => rulesShape(await setRules(db, actor, body, now)),
  }),

  MakeFeed: call({
    method: 'POST',
    who: 'member',
    says: 'Makes the links at which a calendar reads all that the caller has, or only when they are busy, in place of those before.',
    answers: z.object({ link: z.string(), busyLink: z.string() }),
    status: 201,
    run: async ({ db, links, actor, now }, { key }) => makeFeed(db, links, actor, { now, key }),
  }),
  ...ownData,

  GetReminders: call({
    method: 'GET',
    who: 'Provider',
    says: 'How many minutes before the start your clients and guests are reminded.',
    answers: remindersJson,
    run: async ({ db, actor, now }) => ({ reminders: await getReminders(db, actor, now) }),
  }),

  SetReminders: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Sets how many minutes before the start your clients and guests are reminded: three times at most.',
    body: remindersChange,
    answers: remindersJson,
    run: async ({ db, actor, now }, { body }) => ({ reminders: await setReminders(db, actor, body, now) }),
  }),

  Logout: call({
    method: 'DELETE',
    who: 'anyone',
    says: 'Ends the session, if there is one.',
    status: 204,
    async run({ actor, db, session, cookies, events }) {
      if (actor) await closeSession(db, actor);
      events.push('session ended');
      cookies.push(await session.drop());
    },
  }),
});
export const action = loader;
