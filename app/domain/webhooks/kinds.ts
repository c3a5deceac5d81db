import { msg } from '@lingui/core/macro';
import type { Words } from '../words/words';

// Without the schemas, which no browser needs.

/** What a webhook may be told of. */
export const hookKinds = ['booked', 'moved', 'canceled', 'answers', 'rsvps', 'attendance'] as const;
export type HookKind = (typeof hookKinds)[number];

export const kindWords: Record<HookKind | 'test', Words> = {
  booked: msg({ message: 'Booked', context: 'event' }),
  moved: msg({ message: 'Moved', context: 'event' }),
  canceled: msg({ message: 'Canceled', context: 'event' }),
  answers: msg`Answers changed`,
  rsvps: msg`Replies to parties and meetups`,
  attendance: msg`Who came`,
  test: msg`Test`,
};
