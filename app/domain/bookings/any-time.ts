import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { clockTime } from '../input/fields';
import { listedDate, wholeMinutes } from './appointments';

/** A time that need not be published. If `minutes` is null, the service says how long it takes. */
export const timeToBook = z.object({
  date: listedDate,
  start: clockTime(msg`Start time`, '09:00'),
  minutes: wholeMinutes,
});
export type TimeToBook = z.output<typeof timeToBook>;
