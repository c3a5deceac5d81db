import * as z from 'zod/mini';
import type { SeriesDate, SeriesPreview } from '../../domain/series/series';
import { localDateOf, localTimeOf, machineText, wireDate } from '../../domain/time/clock';
import { inEnglish } from '../../domain/words/english';
import { dateJson, named, textOrNone, when } from './shape-parts';

export const seriesDateJson = named(
  'SeriesDate',
  z.object({
    date: dateJson,
    id: textOrNone.check(z.meta({ description: 'The slot that is free then; of the first date, your own booking.' })),
    why: textOrNone.check(z.meta({ description: 'Why nothing can be booked on that date.' })),
    nearest: z.array(z.object({ id: z.string(), ...when })),
  }),
);

export const previewDateJson = named(
  'PreviewDate',
  z.extend(seriesDateJson, { provider: z.string().check(z.meta({ description: 'With whom the series would be.' })) }),
);

export const seriesDateShape =
  (timeZone: string) =>
  ({ date, id, why, nearest }: SeriesDate): z.output<typeof seriesDateJson> => ({
    date: wireDate(date),
    id,
    why: why && inEnglish(why),
    nearest: nearest.map(({ id: other, startsAt, endsAt }) => ({
      id: other,
      date: wireDate(localDateOf(startsAt, timeZone)),
      startTime: localTimeOf(startsAt, timeZone),
      endTime: localTimeOf(endsAt, timeZone),
      startsAt: machineText(startsAt),
      endsAt: machineText(endsAt),
      timeZone,
    })),
  });

export const previewShape = ({ provider, timeZone, dates }: SeriesPreview): z.output<typeof previewDateJson>[] =>
  dates.map((date) => ({ ...seriesDateShape(timeZone)(date), provider }));
