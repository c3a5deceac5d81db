import * as z from 'zod/mini';
import { credentials, registration } from '../../domain/accounts/accounts';
import { registerAccount } from '../../domain/accounts/accounts.server';
import { guestDetails } from '../../domain/accounts/guests';
import { openGuest } from '../../domain/accounts/guests.server';
import { registerGuest } from '../../domain/accounts/joining.server';
import { findTakenName } from '../../domain/accounts/registration.server';
import { closeSession } from '../../domain/accounts/sessions.server';
import { conflict, notLoggedIn } from '../../domain/errors';
import { flag } from '../../domain/input/fields';
import { answerJson, call } from '../../http/api.server';
import { authenticate, guestOf, keepGuest, keepSession, originOf } from '../../http/login.server';
import { profileJson, profileShape } from './shapes';

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
      const { db, actor: replaced, passwords, now, edge } = context;
      const once = { now, edgeZone: edge.timeZone, origin: await originOf(context), key, replaced };
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
    says: "Logs in; the cookie of the answer is the session. With `join=true` a guest's bookings and answers go along.",
    query: z.object({ join: flag }),
    body: credentials,
    answers: profileJson,
    refuses: ['unauthenticated', 'conflict'],
    async run(context, { query, body }) {
      const { account } = await authenticate(context, body, query.join);
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
      const { db, now, actor, viewer, edge, links } = context;
      if (actor && (await viewer())) throw conflict('You are logged in already.');
      const id = links.guestIdOf('call', edge.address, key, body.displayName, body.email ?? '');
      const newcomer = { ...body, id, edgeZone: edge.timeZone, origin: await originOf(context) };
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
