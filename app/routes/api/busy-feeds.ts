import * as z from 'zod/mini';
import { feedsChange } from '../../domain/busy/feeds';
import { listBusyFeeds, setBusyFeeds } from '../../domain/busy/feeds.server';
import { call } from '../../http/api.server';
import { busyFeedJson, busyFeedShape } from './account-shapes';

export const busyFeedCalls = {
  GetBusyFeeds: call({
    method: 'GET',
    who: 'Provider',
    keys: 'never',
    says: 'Your other calendars, whose times block yours: what was read in each, and what is in doubt. Never their addresses.',
    response: z.array(busyFeedJson),
    run: async ({ db, actor, now }) => (await listBusyFeeds(db, actor, now)).map(busyFeedShape),
  }),

  SetBusyFeeds: call({
    method: 'PUT',
    who: 'Provider',
    keys: 'never',
    says: 'Sets your other calendars, by the secret address that each of them gives, and reads them. With `id` and without `url` the address stays; a calendar that is left out is removed.',
    body: feedsChange,
    response: z.array(busyFeedJson),
    refuses: ['not_found'],
    async run({ db, actor, now, seals, calendars, allowsLoopback, isRateLimited }, { body }) {
      await setBusyFeeds(db, actor, body, { now, seals, isRateLimited, allowsLoopback });
      await calendars.read(actor.accountId);
      return (await listBusyFeeds(db, actor, now)).map(busyFeedShape);
    },
  }),
};
