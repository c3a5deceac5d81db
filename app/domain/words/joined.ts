import { msg } from '@lingui/core/macro';
import type { Message, Words } from './words';

const joinedBy =
  (join: (first: Words, second: Words) => Message) =>
  (parts: Words[]): Words =>
    parts.length === 0 ? '' : parts.reduce(join);

/** Whole sentences, one after the other. */
export const inARow = joinedBy((first, second) => msg`${first} ${second}`);

/** Facts with commas between: '6 places, every day'. */
export const withCommas = joinedBy((first, second) => msg`${first}, ${second}`);

/** Facts with dots between: '1 hour · 25 €'. */
export const withDots = joinedBy((first, second) => msg`${first} · ${second}`);
