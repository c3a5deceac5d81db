import { describe, expect, test } from 'vitest';
import { tripsOf } from '../../support/asked';
import {
  book,
  cancel,
  look,
  type Person,
  peopleAt,
  publish,
  type Row,
  rowsOf,
  writeSlot,
} from '../../support/factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, maya } = useWorld(daybook, { ana: {}, maya: {} });

const mark = ({ api }: Person, { id }: { id: string }, as: string) =>
  api('PUT', `/api/Appointment/Mark?id=${id}&as=${as}`);
const attendanceOf = async (who: Person, slot: { id: string }) => ((await look(who, slot)).json as Row).attendance;
let began = 0;
/** One that began some hours ago. */
const begun = () => {
  began += 1;
  return writeSlot(daybook.d1, ana, { startsIn: -60 * began, booker: maya });
};
/** How often people came to a provider, by the book. */
const counted = async (who: Person) =>
  (
    await daybook.d1
      .prepare(
        `SELECT seen, excused, missed FROM people JOIN accounts ON accounts.id = provider_id WHERE accounts.username = ?`,
      )
      .bind(who.username)
      .all()
  ).results;

describe('marking who came', () => {
  test('is for the provider to see and to change, from the start on', async () => {
    const slot = await begun();
    expect(await attendanceOf(ana, slot)).toBe('unknown');
    for (const as of ['seen', 'excused', 'missed', 'unknown', 'seen']) {
      const answer = await mark(ana, slot, as);
      expect([answer.status, (answer.json as Row).attendance, tripsOf(answer)]).toEqual([200, as, 1]);
      expect([await attendanceOf(ana, slot), await attendanceOf(maya, slot)]).toEqual([as, null]);
    }
    const [past] = rowsOf(await ana.api('GET', '/api/Appointment/GetBooked?past=true'));
    expect(past?.attendance).toBe('seen');
    const [hers] = rowsOf(await maya.api('GET', '/api/Appointment/GetBooked?past=true'));
    expect(hers?.attendance).toBeNull();
  });

  test('waits for the start, and is of what is booked', async () => {
    const [coming, canceled, open] = (await publish(ana, { end: '10:30' })) as [Row, Row, Row];
    for (const slot of [coming, canceled]) await book(maya, slot);
    await cancel(ana, canceled);
    for (const slot of [coming, canceled, open]) {
      expect([(await mark(ana, slot, 'seen')).status, (await look(ana, slot)).status]).toEqual([409, 200]);
    }
    expect(await Promise.all([coming, canceled, open].map((slot) => attendanceOf(ana, slot)))).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('is nothing for a stranger, the booker or another provider', async () => {
    const slot = await begun();
    const rival = await newProvider();
    const stranger = daybook.visitor();
    const path = `/api/Appointment/Mark?id=${slot.id}&as=missed`;
    const answers = [
      await stranger.api('PUT', path),
      await maya.api('PUT', path),
      await rival.api('PUT', path),
      await ana.api('PUT', '/api/Appointment/Mark?id=none&as=seen'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404, 404]);
    expect(answers[2]?.json).toEqual(answers[3]?.json);
    expect(await attendanceOf(ana, slot)).toBe('unknown');
  });

  test.each(['', 'late', 'Seen', 'constructor'])('does not know %j', async (as) => {
    const answer = await mark(ana, await begun(), as);
    expect([answer.status, answer.json]).toEqual([400, ['Mark it as seen, excused, missed or unknown.']]);
  });

  test('twice, or twice at once, counts once', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -60, booker: consumer });
    const other = await writeSlot(daybook.d1, provider, { startsIn: -120, booker: consumer });
    await Promise.all([mark(provider, slot, 'missed'), mark(provider, slot, 'missed')]);
    await mark(provider, slot, 'missed');
    await mark(provider, other, 'seen');
    expect(await counted(provider)).toEqual([{ seen: 1, excused: 0, missed: 1 }]);
    await mark(provider, slot, 'excused');
    expect(await counted(provider)).toEqual([{ seen: 1, excused: 1, missed: 0 }]);
    await mark(provider, slot, 'unknown');
    expect(await counted(provider)).toEqual([{ seen: 1, excused: 0, missed: 0 }]);
  });
});
