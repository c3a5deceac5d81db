import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { fault, line } from '../input/fields';
import { limits } from '../input/limits';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';
import type { Unreadable } from './reading';

export type FeedRequest = { address: string; etag?: string | null; lastModified?: string | null };

export type Failure =
  | 'not_public'
  | 'too_many_redirects'
  | 'too_slow'
  | 'too_large'
  | 'wrong_type'
  | 'not_allowed'
  | 'not_found'
  | 'refused'
  | 'server_error'
  | 'unreachable';

export type Fetched =
  | { kind: 'read'; text: string; etag: string | null; lastModified: string | null }
  | { kind: 'unchanged' }
  | { kind: 'failed'; why: Failure };

/** Another calendar of the provider, whose events block time. Its address is secret. */
export type BusyFeed = {
  id: string;
  name: string;
  host: string;
  readAt: Instant | null;
  /** The number of events in the next 90 days. */
  events: number;
  next: Instant | null;
  /** Sentences about parts of the calendar that we are not sure to understand. */
  doubts: Words[];
};

export type FeedFailure = Failure | Unreadable | 'sealed';

export const failureWords: Record<FeedFailure, Words> = {
  not_public: msg`Its address leads to no public server.`,
  too_many_redirects: msg`Its address leads from one place to the next without end.`,
  too_slow: msg`Its server took longer than 10 seconds.`,
  too_large: msg`It has more than 2 MB.`,
  wrong_type: msg`What is at its address is no calendar, but perhaps a page about one.`,
  not_allowed: msg`Its server asks for a login. Please use the secret address.`,
  not_found: msg`There is nothing at its address any more.`,
  refused: msg`Its server refused to give it.`,
  server_error: msg`Its server has a problem.`,
  unreachable: msg`Its server could not be reached.`,
  no_calendar: msg`What is at its address is no whole calendar.`,
  too_many_events: msg`It has more than 50,000 events in the next 90 days.`,
  too_hard: msg`Its events repeat in so many ways that reading it takes too long.`,
  sealed: msg`Its address can no longer be read. Please give it again.`,
};

const { busyFeeds } = limits;
const tooMany = msg`You can have at most ${plural({ busyFeeds }, { one: '# other calendar', other: '# other calendars' })}.`;

/** Changes the list. A calendar with an id and without an address keeps its address. */
export const feedsChange = z.object({
  feeds: z
    .array(
      z.object({
        id: z.optional(z.nullable(z.string(fault(msg`The id of a calendar must be text.`)))),
        name: line(msg`The name of the calendar`, limits.busyFeed.name),
        url: z.optional(
          z.nullable(
            z
              .string(fault(msg`The address must be text.`))
              .check(z.trim(), z.maxLength(limits.busyFeed.url, fault(msg`That address is too long.`))),
          ),
        ),
      }),
      fault(msg`Send a list of calendars.`),
    )
    .check(z.maxLength(busyFeeds, fault(tooMany))),
});
export type FeedsChange = z.output<typeof feedsChange>;
