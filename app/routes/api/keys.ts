import * as z from 'zod/mini';
import { type Key, keyId, keyInput, scopes } from '../../domain/login/keys';
import { endKey, listKeys, makeKey } from '../../domain/login/keys.server';
import { machineText, wireDate } from '../../domain/time/clock';
import { call } from '../../http/api.server';
import { originOf } from '../../http/login.server';
import { dateJson, instant, named } from './shape-parts';

const keyJson = named(
  'Key',
  z.object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(scopes),
    madeAt: instant,
    until: z.nullable(dateJson),
    usedOn: z.nullable(dateJson),
  }),
);

const keyShape = ({ id, name, scope, madeAt, until, usedOn }: Key): z.output<typeof keyJson> => ({
  id,
  name,
  scope,
  madeAt: machineText(madeAt),
  until: until && wireDate(until),
  usedOn: usedOn && wireDate(usedOn),
});

export const keyCalls = {
  MakeKey: call({
    method: 'POST',
    who: 'member',
    keys: 'never',
    says: 'Makes a key with which a program acts as the caller, as `Authorization: Bearer daybook_…`. It is shown once. `read` keys can only make GET calls. `code` is needed where the account has a second factor; `until` is its last day.',
    body: keyInput,
    response: named('NewKey', z.extend(keyJson, { key: z.string() })),
    refuses: ['conflict'],
    status: 201,
    showsSecret: true,
    async run(context, { body }) {
      const { db, passwords, links, actor, now, events } = context;
      const { key, ...made } = await makeKey(db, passwords, links, actor, body, {
        now,
        origin: await originOf(context),
      });
      events.push('key made');
      return { ...keyShape(made), key };
    },
  }),

  Keys: call({
    method: 'GET',
    who: 'member',
    keys: 'never',
    says: "The keys of the caller's programs, the oldest first. The keys themselves are never shown again.",
    response: z.array(keyJson),
    run: async ({ db, actor }) => (await listKeys(db, actor)).map(keyShape),
  }),

  EndKey: call({
    method: 'DELETE',
    who: 'member',
    keys: 'never',
    says: "Ends a key of one of the caller's programs.",
    query: keyId,
    refuses: ['not_found'],
    status: 204,
    async run({ db, actor, now, events }, { query: { id } }) {
      await endKey(db, actor, id, now);
      events.push('key ended');
    },
  }),
};
