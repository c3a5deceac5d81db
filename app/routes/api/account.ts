import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { getRules, setRules } from '../../domain/bookings/own-rules.server';
import { feedWish, makeFeed } from '../../domain/calendar/feeds.server';
import { conflict, notLoggedIn } from '../../domain/errors';
import { guestDetails } from '../../domain/guests/guests';
import { openGuest } from '../../domain/guests/guests.server';
import { flag } from '../../domain/input/fields';
import {
  askForNewPassword,
  linkIsSent,
  lostLogin,
  passwordReset,
  resetPassword,
} from '../../domain/login/lost-password.server';
import { ownPassword } from '../../domain/login/own-password.server';
import { makeRecoveryCodes } from '../../domain/login/recovery-codes.server';
import { closeSession } from '../../domain/login/sessions.server';
import { listNews, newsFilter } from '../../domain/messages/news.server';
import { registerGuest } from '../../domain/people/join.server';
import { changedProfile, credentials, profileChange, registration } from '../../domain/profile/accounts';
import { editProfile, registerAccount } from '../../domain/profile/accounts.server';
import { emailChange, setEmail } from '../../domain/profile/email.server';
import { findTakenName } from '../../domain/profile/register.server';
import { remindersChange } from '../../domain/profile/reminders';
import { rulesChange } from '../../domain/profile/rules';
import { inEnglish } from '../../domain/words/english';
import { call, callHandlers, paged } from '../../http/api.server';
import { arrivalOf, authenticate, guestOf, originOf, setGuestSession, setSession } from '../../http/login.server';
import {
  newsJson,
  newsShape,
  profileJson,
  profileShape,
  registeredJson,
  remindersJson,
  rulesJson,
  rulesShape,
} from './account-shapes';
import { busyFeedCalls } from './busy-feeds';
import { keyCalls } from './keys';
import { ownData } from './own-data';
import { mailHeldShape } from './shapes';
import { webhookCalls } from './webhooks';

export const loader = callHandlers('Account', {
  Register: call({
    method: 'POST',
    who: 'anyone',
    keys: 'never',
    says: "Makes an account and logs it in. A guest's becomes that account.",
    body: registration,
    response: registeredJson,
    alsoWrong: async (context, body) =>
      findTakenName(context.db, body, { now: context.now, origin: await originOf(context) }),
    refuses: ['taken', 'conflict'],
    status: 201,
    async run(context, { body }) {
      const { db, actor: replaced, passwords, now, device } = context;
      const opening = { now, device, ...arrivalOf(context), origin: await originOf(context), replaced };
      const guest = await guestOf(context);
      const { account, actor, withheldQuestion } = guest
        ? await registerGuest(db, passwords, guest, body, opening)
        : await registerAccount(db, passwords, body, opening);
      await setSession(context, actor);
      return { ...profileShape(account), ...mailHeldShape(withheldQuestion) };
    },
  }),

  Login: call({
    method: 'POST',
    who: 'anyone',
    keys: 'never',
    says: "Logs in; the cookie of the response is the session. With `join=true` a guest's bookings and answers go along. Where the account has a second factor, `code` is needed.",
    query: z.object({ join: flag(msg`Join`) }),
    body: credentials,
    response: profileJson,
    refuses: ['unauthenticated', 'conflict'],
    async run(context, { query, body }) {
      const { account } = await authenticate(context, { credentials: body, join: query.join });
      return profileShape(account);
    },
  }),

  Guest: call({
    method: 'POST',
    who: 'anyone',
    keys: 'never',
    says: 'Makes a guest, an account without a login; the cookie of the response is the session.',
    body: guestDetails,
    response: profileJson,
    refuses: ['conflict'],
    status: 201,
    async run(context, { body }) {
      const { db, now, actor, viewer, device } = context;
      if (actor && (await viewer())) throw conflict('You are logged in already.');
      const newGuest = { ...body, device, ...arrivalOf(context), origin: await originOf(context) };
      const guest = await openGuest(db, newGuest, now);
      await setGuestSession(context, guest.actor);
      return profileShape(guest.account);
    },
  }),

  Profile: call({
    method: 'GET',
    who: 'member',
    says: "The caller's profile.",
    response: profileJson,
    loggedOut: 400,
    async run({ viewer }) {
      const account = await viewer();
      if (!account) throw notLoggedIn();
      return profileShape(account);
    },
  }),

  SetProfile: call({
    method: 'PUT',
    who: 'member',
    says: "Changes the caller's profile; a property that is left out stays. City, description, address, phone and how deposits are paid (payLink or payTo) are a provider's.",
    body: profileChange,
    response: profileJson,
    refuses: ['conflict'],
    async run(context, { body }) {
      const { db, actor, now, viewer } = context;
      const account = await viewer();
      if (!account) throw notLoggedIn();
      const { account: saved, actor: changed } = await editProfile(db, actor, changedProfile(account, body), now);
      await setSession(context, changed);
      return profileShape(saved);
    },
  }),

  IsProvider: call({
    method: 'GET',
    who: 'member',
    says: 'Whether the caller is a provider.',
    response: z.boolean(),
    loggedOut: 400,
    run: async ({ actor }) => actor.role === 'Provider',
  }),

  GetNews: call({
    method: 'GET',
    who: 'member',
    says: 'What the caller was told: unread first, then the newest.',
    query: newsFilter,
    response: newsJson,
    isPaged: true,
    run: async ({ db, actor }, { query: { page } }) => paged(await listNews(db, actor, page), newsShape),
  }),

  SetEmail: call({
    method: 'PUT',
    who: 'member',
    keys: 'never',
    says: "Sets the caller's e-mail address and asks there whether it is theirs; null removes it.",
    body: emailChange,
    response: registeredJson,
    async run(context, { body }) {
      const { db, passwords, actor, now, viewer } = context;
      const { isChanged, withheld } = await setEmail(db, passwords, actor, body, {
        now,
        origin: await originOf(context),
      });
      if (isChanged) context.events.push('e-mail changed');
      const account = await viewer();
      if (!account) throw notLoggedIn();
      return { ...profileShape({ ...account, email: body.email }), ...mailHeldShape(withheld) };
    },
  }),

  ForgotPassword: call({
    method: 'POST',
    who: 'anyone',
    keys: 'never',
    says: 'Asks for a link that sets a new password. The response is the same whoever it is.',
    body: lostLogin,
    response: z.object({ message: z.string() }),
    status: 202,
    async run(context, { body, key }) {
      await askForNewPassword(context.db, body, { now: context.now, origin: await originOf(context), key });
      return { message: inEnglish(linkIsSent) };
    },
  }),

  ResetPassword: call({
    method: 'PUT',
    who: 'anyone',
    keys: 'never',
    says: 'Sets a new password by the token of a link, or by a username and a recovery code; ends all sessions.',
    body: passwordReset,
    response: z.boolean(),
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
    keys: 'never',
    says: 'Makes ten codes that let the caller back in without the password, each once, in place of those before.',
    body: ownPassword,
    response: z.array(z.string()),
    status: 201,
    showsSecret: true,
    async run(context, { body }) {
      const { db, passwords, links, actor, now } = context;
      return makeRecoveryCodes(db, passwords, links, actor, body.password, { now, origin: await originOf(context) });
    },
  }),

  GetRules: call({
    method: 'GET',
    who: 'Provider',
    says: 'Your rules: who may book, when, and how much.',
    response: rulesJson,
    run: async ({ db, actor, now }) => rulesShape(await getRules(db, actor, now)),
  }),

  SetRules: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Changes your rules; a rule that is left out stays. Where your shop sets one of them to something else, nothing changes: a 409.',
    body: rulesChange,
    response: rulesJson,
    refuses: ['conflict'],
    run: async ({ db, actor, now, isLocal }, { body }) => rulesShape(await setRules(db, actor, body, now, { isLocal })),
  }),

  MakeFeed: call({
    method: 'POST',
    who: 'member',
    keys: 'never',
    says: 'Makes the links at which a calendar reads all that the caller has, or only when they are busy, in place of those before. The password may be left out for half an hour after a login, and by guests.',
    body: feedWish,
    isBodyOptional: true,
    response: z.object({ link: z.string(), busyLink: z.string() }),
    status: 201,
    showsSecret: true,
    async run(context, { body }) {
      const { db, passwords, links, actor, now } = context;
      return makeFeed(db, { passwords, links }, actor, body ?? {}, { now, origin: await originOf(context) });
    },
  }),
  ...ownData,
  ...busyFeedCalls,
  ...keyCalls,
  ...webhookCalls,

  GetReminders: call({
    method: 'GET',
    who: 'Provider',
    says: 'How many minutes before the start your clients and guests are reminded.',
    response: remindersJson,
    run: async ({ db, actor, now }) => ({ reminders: (await getRules(db, actor, now)).reminders }),
  }),

  SetReminders: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Sets how many minutes before the start your clients and guests are reminded: three times at most. A 409 where your shop sets it.',
    body: remindersChange,
    response: remindersJson,
    refuses: ['conflict'],
    run: async ({ db, actor, now }, { body }) => ({ reminders: (await setRules(db, actor, body, now)).reminders }),
  }),

  Logout: call({
    method: 'DELETE',
    who: 'anyone',
    keys: 'never',
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
