import * as z from 'zod/mini';
import { type Links, offerPath, waitingPath } from '../../domain/links.server';
import { machineText, wireDate } from '../../domain/time/clock';
import type { Waiting, Wish } from '../../domain/waitlist/wishes';
import { inEnglish } from '../../domain/words/english';
import { count, dateJson, instant, named, textOrNone, time } from './shape-parts';
import { mailHeld, mailHeldShape } from './shapes';

/* Wishes as calls show them. */

const wish = {
  id: z.string(),
  provider: z.string(),
  providerName: z.string(),
  slotId: textOrNone,
  service: textOrNone,
  from: z.nullable(dateJson),
  to: z.nullable(dateJson),
  days: z.nullable(z.array(count)),
  after: z.nullable(time),
  before: z.nullable(time),
  people: count,
  insteadOf: textOrNone,
  askedAt: instant,
  place: z
    .nullable(count)
    .check(z.meta({ description: 'In the line of those who wait for the same times; null where a time is held.' })),
  ...mailHeld,
};

export const wishJson = named(
  'Wish',
  z.object({
    ...wish,
    link: textOrNone.check(
      z.meta({
        description:
          'The path of the personal link: the place in line, and how to stop. A key that only reads is not shown it.',
      }),
    ),
    offer: z.nullable(
      z.object({ slotId: z.string(), startsAt: instant, endsAt: instant, heldUntil: instant, link: textOrNone }),
    ),
  }),
);

const shapeOf = ({ asked, ...row }: Wish) => ({
  id: row.id,
  provider: row.provider,
  providerName: inEnglish(row.providerName),
  slotId: asked.slotId,
  service: asked.service,
  from: asked.from && wireDate(asked.from),
  to: asked.to && wireDate(asked.to),
  days: asked.days,
  after: asked.after,
  before: asked.before,
  people: asked.people,
  insteadOf: row.insteadOf,
  askedAt: machineText(row.askedAt),
  place: row.place,
  ...mailHeldShape(row.withheldMail),
});

const timesOf = ({ slotId, startsAt, endsAt, heldUntil }: NonNullable<Wish['offer']>) => ({
  slotId,
  startsAt: machineText(startsAt),
  endsAt: machineText(endsAt),
  heldUntil: machineText(heldUntil),
});

/** Makes the JSON of a wish, with its links, for the person who waits. */
export const wishShape =
  (links: Links) =>
  (row: Wish): z.output<typeof wishJson> => ({
    ...shapeOf(row),
    link: waitingPath(links, row),
    offer: row.offer && { ...timesOf(row.offer), link: offerPath(links, { ...row, startsAt: row.offer.startsAt }) },
  });

export const waitingJson = named(
  'Waiting',
  z.object({
    ...wish,
    name: z.string(),
    username: textOrNone,
    email: textOrNone.check(z.meta({ description: "A guest's address." })),
    offer: z.nullable(z.object({ slotId: z.string(), startsAt: instant, endsAt: instant, heldUntil: instant })),
  }),
);

/** The JSON of a wish for its provider: who waits, but not their links. */
export const waitingShape = (row: Waiting): z.output<typeof waitingJson> => ({
  ...shapeOf(row),
  name: row.name,
  username: row.username,
  email: row.email,
  offer: row.offer && timesOf(row.offer),
});
