import * as z from 'zod/mini';
import { credentials, registration } from '../../domain/accounts/accounts';
import { logIn, registerAccount } from '../../domain/accounts/accounts.server';
import { findTakenName } from '../../domain/accounts/registration.server';
import { closeSession } from '../../domain/accounts/sessions.server';
import { notLoggedIn } from '../../domain/errors';
import { answerJson, call } from '../../http/api.server';
import { keepSession, originOf } from '../../http/login.server';
import { profileJson, profileShape } from './shapes';

export const loader = answerJson('Account', {
  Register: call({
    method: 'POST',
    who: 'anyone',
    says: 'Makes an account and logs it in.',
    body: registration,
    answers: profileJson,
    alsoWrong: async (context, body) =>
      findTakenName(context.db, body, { now: context.now, origin: await originOf(context) }),
    refuses: ['taken'],
    status: 201,
    async run(context, { body, key }) {
      const { db, passwords, now, edge } = context;
      const once = { now, edgeZone: edge.timeZone, origin: await originOf(context), key };
      const { account, actor } = await registerAccount(db, passwords, body, once);
      await keepSession(context, actor);
      return profileShape(account);
    },
  }),

  Login: call({
    method: 'POST',
    who: 'anyone',
    says: 'Logs in; the cookie of the answer is the session.',
    body: credentials,
    answers: profileJson,
    refuses: ['unauthenticated'],
    async run(context, { body }) {
      const { account, actor } = await logIn(context.db, context.passwords, body, {
        now: context.now,
        origin: await originOf(context),
      });
      await keepSession(context, actor);
      return profileShape(account);
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

  Logout: call({
    method: 'DELETE',
    who: 'anyone',
    says: 'Ends the session, if there is one.',
    status: 204,
    async run({ actor, db, session, cookies }) {
      if (actor) await closeSession(db, actor);
      cookies.push(await session.drop());
    },
  }),
});
export const action = loader;
