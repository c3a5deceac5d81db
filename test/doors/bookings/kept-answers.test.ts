import { expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { type Person, peopleAt, type Row, writeSlot } from '../../support/factories';
import { openEnded, writeTemplate } from '../../support/template-factories';
import { useServer } from '../../support/use-server';

/* After how many days the answers of past appointments are deleted. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const day = 24 * 60;
const keep = (who: Person, keepAnswersDays: unknown) => who.api('PUT', '/api/Account/SetRules', { keepAnswersDays });
const answersOf = async (who: Person, { id }: { id: string }) =>
  ((await who.api('GET', `/api/Appointment/Get?id=${id}`)).json as Row).formData.map(({ answer }) => answer);

/** A provider, and what was answered to them before so many days, in order. */
async function answered(...daysAgo: number[]) {
  const [provider, booker] = [await newProvider(), await newConsumer()];
  const { template } = await writeTemplate(provider, [{ questionText: 'Why?', questionType: openEnded }], 'Intake');
  const past = [];
  for (const days of daysAgo) {
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -days * day - 60, template: template.id, booker });
    await daybook.d1
      .prepare('UPDATE bookings SET answers = ?, answered_at = 1 WHERE id = ?')
      .bind(JSON.stringify([{ question: 'Why?', answer: `${days} days ago` }]), slot.id)
      .run();
    past.push(slot);
  }
  return { provider, booker, past };
}

test('answers are kept, unless a provider says how long: older ones go at once, others when their time has come', async () => {
  const { provider, booker, past } = await answered(100, 31, 29, 1);
  const all = (who: Person) => Promise.all(past.map((slot) => answersOf(who, slot)));
  await daybook.scheduled();
  expect(await all(provider)).toEqual([['100 days ago'], ['31 days ago'], ['29 days ago'], ['1 days ago']]);
  expect((await keep(provider, 30)).json).toMatchObject({ keepAnswersDays: 30 });
  expect(await all(booker)).toEqual([[], [], ['29 days ago'], ['1 days ago']]);
  await daybook.d1
    .prepare('UPDATE accounts SET keep_answers_days = 28 WHERE username = ?')
    .bind(provider.username)
    .run();
  await daybook.scheduled();
  await daybook.scheduled();
  expect(await all(provider)).toEqual([[], [], [], ['1 days ago']]);
  const news = (await provider.api('GET', '/api/Account/GetNews')).json as { kind: string }[];
  expect(news.filter(({ kind }) => kind === 'answers')).toEqual([]);
  expect((await keep(provider, null)).json).toMatchObject({ keepAnswersDays: null });
});

test('nobody else’s answers are deleted, and no other number of days is taken', async () => {
  const [one, other] = [await answered(50), await answered(50)];
  for (const days of [0, -1, 3651, 1.5, 'soon', true]) {
    expect(complaints(await keep(one.provider, days))).toHaveLength(1);
  }
  expect((await keep(one.booker, 1)).status).toBe(403);
  await keep(one.provider, 1);
  await daybook.scheduled();
  expect(await answersOf(other.provider, other.past[0] as { id: string })).toEqual(['50 days ago']);
});
