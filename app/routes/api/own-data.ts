import * as z from 'zod/mini';
import { accountDeletion, deleteAccount } from '../../domain/leaving/delete.server';
import { exportAccount } from '../../domain/leaving/export.server';
import { endOneSession, listSessions, sessionId } from '../../domain/login/devices.server';
import { call } from '../../http/api.server';
import { originOf } from '../../http/login.server';
import { exportJson, sessionJson, sessionShape } from './account-shapes';

export const ownData = {
  Sessions: call({
    method: 'GET',
    who: 'member',
    keys: 'never',
    says: 'The devices on which the caller is logged in, this one first.',
    response: z.array(sessionJson),
    run: async ({ db, actor, now }) => (await listSessions(db, actor, now)).map(sessionShape),
  }),

  EndSession: call({
    method: 'DELETE',
    who: 'member',
    keys: 'never',
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

  Export: call({
    method: 'GET',
    who: 'member',
    keys: 'never',
    says: 'Everything about the caller, as one file.',
    response: exportJson,
    filename: 'daybook.json',
    run: ({ db, actor, now }) => exportAccount(db, actor, now),
  }),

  Delete: call({
    method: 'DELETE',
    who: 'member',
    keys: 'never',
    says: "Deletes the caller's account, for good. A guest needs no password, and no body.",
    body: accountDeletion,
    isBodyOptional: true,
    refuses: ['conflict'],
    status: 204,
    async run(context, { body }) {
      const { db, passwords, actor, now, session, cookies, events } = context;
      await deleteAccount(db, passwords, actor, body ?? {}, { now, origin: await originOf(context) });
      events.push('account deleted');
      cookies.push(await session.drop(), await session.dropDevice());
    },
  }),
};
