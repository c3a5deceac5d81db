import * as z from 'zod/mini';
import { endOneSession, listSessions, sessionId } from '../../domain/accounts/devices.server';
import { call } from '../../http/api.server';
import { sessionJson, sessionShape } from './shapes';

/** The calls of /api/Account by which people see and end what the product keeps of them. */
export const ownData = {
  Sessions: call({
    method: 'GET',
    who: 'member',
    says: 'The devices on which the caller is logged in, this one first.',
    answers: z.array(sessionJson),
    run: async ({ db, actor, now }) => (await listSessions(db, actor, now)).map(sessionShape),
  }),

  EndSession: call({
    method: 'DELETE',
    who: 'member',
    says: "Ends one of the caller's sessions.",
    query: sessionId,
    refuses: ['not_found'],
    status: 204,
    async run({ db, actor, now, session, cookies, events }, { query: { id } }) {
      await endOneSession(db, actor, id, now);
      events.push('session ended');
      if (id === actor.sessionId) cookies.push(await session.drop());
    },
  }),
};
