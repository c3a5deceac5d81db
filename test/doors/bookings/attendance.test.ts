import { describe, expect } from 'vitest';
import { tripsOf } from '../../support/asked';
import { book, cancel, look, type Person, publish, type Row, rowsOf, writeSlot } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { inWorld } from '../../support/world';

const daybook = useServer();
const test = inWorld(daybook);

const mark = ({ api }: Person, { id }: { id: string }, as: string) =>
  api('PUT', `/api/Appointment/Mark?id=${id}&as=${as}`);
const attendanceOf = async (who: Person, slot: { id: string }) => ((await look(who, slot)).json as Row).attendance;
let began = 0;
/** An appointment that began some hours ago. */
const begun = (provider: Person, booker: Person) => {
  began += 1;
  return writeSlot(daybook.d1, provider, { startsIn: -60 * began, booker });
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
  test('is for the provider to see and to change, from the start on', async ({ karla, maya }) => {
    const slot = await begun(karla, maya);
    expect(await attendanceOf(karla, slot)).toBe('unknown');
    for (const as of ['seen', 'excused', 'missed', 'unknown', 'seen']) {
      const answer = await mark(karla, slot, as);
      expect([answer.status, (answer.json as Row).attendance, tripsOf(answer)]).toEqual([200, as, 1]);
      expect([await attendanceOf(karla, slot), await attendanceOf(maya, slot)]).toEqual([as, null]);
    }
    const [past] = rowsOf(await karla.api('GET', '/api/Appointment/GetBooked?past=true'));
    expect(past?.attendance).toBe('seen');
    const [hers] = rowsOf(await maya.api('GET', '/api/Appointment/GetBooked?past=true'));
    expect(hers?.attendance).toBeNull();
  });

  test('waits for the start, and is of what is booked', async ({ karla, maya }) => {
    const [coming, canceled, open] = (await publish(karla, { end: '10:30' })) as [Row, Row, Row];
    for (const slot of [coming, canceled]) await book(maya, slot);
    await cancel(karla, canceled);
    for (const slot of [coming, canceled, open]) {
      expect([(await mark(karla, slot, 'seen')).status, (await look(karla, slot)).status]).toEqual([409, 200]);
    }
    expect(await Promise.all([coming, canceled, open].map((slot) => attendanceOf(karla, slot)))).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('is nothing for a stranger, the booker or another provider', async ({ karla, maya, host: rival, stranger }) => {
    const slot = await begun(karla, maya);
    const path = `/api/Appointment/Mark?id=${slot.id}&as=missed`;
    const answers = [
      await stranger.api('PUT', path),
      await maya.api('PUT', path),
      await rival.api('PUT', path),
      await karla.api('PUT', '/api/Appointment/Mark?id=none&as=seen'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404, 404]);
    expect(answers[2]?.json).toEqual(answers[3]?.json);
    expect(await attendanceOf(karla, slot)).toBe('unknown');
  });

  test.for(['', 'late', 'Seen', 'constructor'])('does not know %j', async (as, { karla, maya }) => {
    const answer = await mark(karla, await begun(karla, maya), as);
    expect([answer.status, answer.json]).toEqual([400, ['Mark it as seen, excused, missed or unknown.']]);
  });

  test('twice, or twice at once, counts once', async ({ host, client }) => {
    const slot = await writeSlot(daybook.d1, host, { startsIn: -60, booker: client });
    const other = await writeSlot(daybook.d1, host, { startsIn: -120, booker: client });
    await Promise.all([mark(host, slot, 'missed'), mark(host, slot, 'missed')]);
    await mark(host, slot, 'missed');
    await mark(host, other, 'seen');
    expect(await counted(host)).toEqual([{ seen: 1, excused: 0, missed: 1 }]);
    await mark(host, slot, 'excused');
    expect(await counted(host)).toEqual([{ seen: 1, excused: 1, missed: 0 }]);
    await mark(host, slot, 'unknown');
    expect(await counted(host)).toEqual([{ seen: 1, excused: 0, missed: 0 }]);
  });
});
