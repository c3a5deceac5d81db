import { describe, expect, test } from 'vitest';
import { dayAhead, look, type Person, peopleAt, publishOne, type Row } from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { type Answer, bookWith, openEnded, publishAsking } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* What is asked of whoever moves a booking to a time with other questions, or with the same ones. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const askingFor = (host: Person, questionText: string) =>
  publishQuestions(host, [{ questionText, questionType: openEnded, required: true }]);
const answersTo = async (who: Person, slot: Row) => ((await look(who, slot)).json as Row).formData;

const answers: Answer[] = [{ question: 'Why?', answer: 'Pain' }];

/** A client who has answered 'Why?', a free time that asks the same, and one that asks 'How?'. */
async function answeredBooking() {
  const [host, client] = await Promise.all([newProvider(), newConsumer()]);
  const [why, how] = await Promise.all([askingFor(host, 'Why?'), askingFor(host, 'How?')]);
  const booked = await publishAsking(host, why, { end: '09:30' });
  const row = (await bookWith(client, booked, answers)).json as Row;
  const same = await publishAsking(host, why, { start: '10:00', end: '10:30' });
  const other = await publishAsking(host, how, { start: '11:00', end: '11:30' });
  return { host, client, row, same, other };
}
type World = Awaited<ReturnType<typeof answeredBooking>>;

const doors = [
  ['by their account', ({ client, row }: World) => client.browser.visit(`/move/${row.id}`)],
  [
    'by their personal link',
    async ({ row }: World) => (await daybook.visitor().visit(row.link ?? '')).click('Change the time'),
  ],
] as const;

const buttonOf = ({ id }: Row) => `.slots button[formaction$="/${id}"]`;
const linkOf = ({ id }: Row) => `.slots a[href$="/${id}"]`;
const answerField = (page: Page) => page.$('main textarea[name^="answer-"]');
const typedAnswer = (page: Page, answer: string) => ({ [answerField(page)?.getAttribute('name') ?? '']: answer });

describe.each(doors)('a client who moves a booking %s', (_, choice) => {
  test('takes the answers along to a time that asks the same, with one tap', async () => {
    const world = await answeredBooking();
    const page = await choice(world);

    const moved = await page.submit(buttonOf(world.same));

    expect(moved.words).toContain('It is moved.');
    expect(await answersTo(world.host, world.same)).toEqual(answers);
  });

  test('is led to the questions of a time that asks others, before anything is moved', async () => {
    const world = await answeredBooking();

    const page = await (await choice(world)).click(linkOf(world.other));

    expect(page.words).toContain('As it will be');
    expect(page.words).toContain('How?');
    expect(answerField(page)?.text.trim()).toBe('');
    expect((await look(world.client, world.row)).json).toMatchObject({ status: 1, formData: answers });
  });

  test('answers those with the move', async () => {
    const world = await answeredBooking();
    const page = await (await choice(world)).click(linkOf(world.other));

    const moved = await page.submit('Move it', typedAnswer(page, 'Slowly'));

    expect(moved.words).toContain('It is moved.');
    expect(await answersTo(world.host, world.other)).toEqual([{ question: 'How?', answer: 'Slowly' }]);
  });

  test('stays where they are while a required answer is missing', async () => {
    const world = await answeredBooking();
    const page = await (await choice(world)).click(linkOf(world.other));

    const refused = await page.submit('Move it', typedAnswer(page, ' '));

    expect(refused.status).toBe(400);
    expect((await look(world.client, world.row)).json).toMatchObject({ status: 1, formData: answers });
  });

  test('finds what was typed again where an answer is refused', async () => {
    const world = await answeredBooking();
    const page = await (await choice(world)).click(linkOf(world.other));
    const long = 'x'.repeat(2001);

    const refused = await page.submit('Move it', typedAnswer(page, long));

    expect(refused.status).toBe(400);
    expect(answerField(refused)?.text.trim()).toBe(long);
  });

  test('is asked nothing at a time without questions', async () => {
    const [host, client] = await Promise.all([newProvider(), newConsumer()]);
    const asked = await publishAsking(host, await askingFor(host, 'Why?'));
    const row = (await bookWith(client, asked, answers)).json as Row;
    const plain = await publishOne(host, { dates: [dayAhead(2)] });
    const page = await choice({ host, client, row } as World);

    const moved = await page.submit(buttonOf(plain));

    expect(moved.words).toContain('It is moved.');
    expect(await answersTo(host, plain)).toEqual([]);
  });
});

describe('a provider who moves a booking', () => {
  test('to a time that asks the same takes the answers along', async () => {
    const { host, row, same } = await answeredBooking();
    const page = await host.browser.visit(`/move/${row.id}`);

    await page.submit(buttonOf(same));

    expect(await answersTo(host, same)).toEqual(answers);
  });

  test('to a time that asks others is asked nothing', async () => {
    const { host, row, other } = await answeredBooking();
    const page = await host.browser.visit(`/move/${row.id}`);

    const moved = await page.submit(buttonOf(other));

    expect(moved.status).toBe(200);
    expect((await look(host, other)).json).toMatchObject({ status: 1, movedFrom: row.id });
  });

  test('to a time that asks others leaves the answers to the client', async () => {
    const { host, client, row, other } = await answeredBooking();
    const page = await host.browser.visit(`/move/${row.id}`);

    await page.submit(buttonOf(other));

    const theirs = await client.browser.visit(`/details-cancel/${other.id}`);
    expect(await answersTo(host, other)).toEqual([]);
    expect(answerField(theirs)?.text.trim()).toBe('');
    expect(theirs.words).toContain('How?');
  });
});
