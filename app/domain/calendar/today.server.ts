import { msg } from '@lingui/core/macro';
import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { hours, slots } from '../../../db/schema';
import { startsIn } from '../../../db/starts-in';
import { orm, statement } from '../../../db/statement';
import { isNotBusy, isOpen } from '../../../db/states';
import { openSpans } from '../hours/planned-slots';
import type { Actor } from '../profile/accounts';
import { selectBusyTimes } from '../slots/busy-times.server';
import type { Instant, LocalDate } from '../time/clock';
import { spanWords } from '../time/span-words';
import { edgesOfDay, todayIn } from '../time/zones';
import type { Words } from '../words/words';
import type { SheetLine } from './sheet';
import { readDaySheet, type SheetRow } from './sheet.server';
import { type StripLine, stripOf } from './today';

/** The most free times of a day: eight hours, one every five minutes. */
const mostFree = sql.raw('96');

type Values = { me: string; from: Instant; until: Instant };

const openOf = statement<Values>()(({ me, from, until }) =>
  orm
    .select({ id: slots.id, startsAt: slots.startsAt, endsAt: slots.endsAt })
    .from(slots)
    .where(
      sql`${ownedBy(me, slots)} AND ${isOpen(slots)} AND ${slots.taken} = 0 AND ${isNotBusy(slots)}
        AND ${startsIn({ from, until }, slots)} ORDER BY ${slots.startsAt} LIMIT ${mostFree}`,
    ),
);
const busyOf = statement<Values>()(({ me, from, until }) => selectBusyTimes(me, from, until));
const planOf = statement<{ me: string }>()(({ me }) =>
  orm.select({ plan: hours.plan }).from(hours).where(ownedBy(me, hours)),
);

const busyWords = ({ name, calendar }: { name: string | null; calendar: string | null }): Words =>
  name ?? (calendar ? msg`Busy in “${calendar}”` : msg`Busy in another calendar`);

/**
 * Reads what keeps a provider busy on one day of their time zone, their own parties and meetups included. A colleague
 * reads no names.
 */
export async function readBusyTimesOf(db: Db, { accountId: me, timeZone, memberId }: Actor, date: LocalDate) {
  const edges = { me, ...edgesOfDay(date, timeZone) };
  const { busy } = await db.run({ busy: busyOf(edges) });
  return busy.map((span) => ({
    times: spanWords(span, timeZone),
    words: memberId ? msg`Busy` : busyWords(span),
  }));
}

export type Today = {
  date: LocalDate;
  strip: StripLine[];
  lines: SheetLine[];
  free: number;
};

export async function readToday(
  db: Db,
  actor: Actor,
  now: Instant,
): Promise<Omit<Today, 'lines'> & { lines: SheetRow[] }> {
  const { accountId: me, timeZone } = actor;
  const date = todayIn(timeZone, now);
  const edges = { me, ...edgesOfDay(date, timeZone) };
  const [{ lines, held }, { open, busy, plan }] = await Promise.all([
    readDaySheet(db, actor, date, now),
    db.run({
      open: openOf({ ...edges, from: now }),
      busy: busyOf(edges),
      plan: planOf({ me }),
    }),
  ]);
  const [set] = plan;
  const strip = stripOf(
    {
      lines,
      open,
      busy: [
        ...busy.map((time) => ({ startsAt: time.startsAt, endsAt: time.endsAt, words: busyWords(time) })),
        ...held.map((hold) => ({ ...hold, words: msg`Held for the waitlist` })),
      ],
      hours: set ? openSpans(set.plan, date, timeZone) : null,
    },
    now,
  );
  return { date, strip, lines, free: open.length };
}
