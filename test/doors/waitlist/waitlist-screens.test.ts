import { expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { agenda, openSlotsOf } from '../../support/appointment-calls';
import { book, cancel, dayAhead, localDate, peopleAt, publish, type Row } from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { typedIn } from '../../support/visit';
import { add, fullyBooked as oneFullyBooked, only } from '../../support/waitlist';

/* The screens of people who wait, and of their provider, without script. */

const daybook = useServer({ vars: { RATE_LIMIT: 'off', MAIL_LIMITS: 'off' } });
const people = peopleAt(daybook);
const { newProvider, newConsumer } = people;
const stranger = () => daybook.visitor();
const fullyBooked = (details?: object) => oneFullyBooked(people, details);

const gus = { displayName: 'Gus', email: 'gus@mail.test' };
const ifTimeComes = 'Tell me if a time comes free';

test('lead a guest from a page without free times to a place in line, and out of it', async () => {
  const { host } = await fullyBooked();
  const visitor = stranger();
  const page = await visitor.get(`/with/${host.username}`);
  expect(page.words).toContain('Nothing is free at the moment.');
  const form = await (await visitor.get(`/with/${host.username}/wait`)).submit('Tell me', { displayName: 'Gus' });
  expect([form.status, form.words]).toEqual([400, expect.stringContaining('Please give an e-mail address')]);
  const waiting = await form.submit('Tell me', { email: 'gus@example.org', after: '10:00', days: ['1', '2'] });
  expect(waiting.path).toMatch(/^\/waiting\//);
  expect(waiting.words).toMatch(/on Mon, Tue, from 10:00 on, UTC You are the first in line\./);
  expect((await waiting.submit('Stop waiting')).words).toContain('You wait no more');
});

test('fill in the day on which nothing is free', async () => {
  const { host, booked } = await fullyBooked();
  const open = await publish(host, { start: '12:00', end: '12:30', dates: [dayAhead(6)] });
  const field = async (date = '', link = ifTimeComes) => {
    const form = await (await stranger().get(`/with/${host.username}?dates=${date}`)).click(link);
    return ['from', 'to'].map((name) => typedIn(form, name));
  };
  const full = localDate(booked);
  expect(await field(booked.date)).toEqual([full, full]);
  // A day that is over is nobody's wish, nor is one on which something is free.
  expect(await field(dayAhead(-2))).toEqual(['', '']);
  expect(await field(open[0]?.date, `Nothing that suits you? ${ifTimeComes}`)).toEqual(['', '']);
});

test('offer a held time, to take or to pass on; to look changes nothing', async () => {
  const { host, booker, booked } = await fullyBooked();
  const [first, second] = [await newConsumer(), await newConsumer()];
  for (const { browser } of [first, second]) {
    const form = await browser.get(`/with/${host.username}/wait`);
    expect((await form.submit('Tell me')).words).toContain('in line.');
  }
  await cancel(booker, booked);
  expect((await first.browser.get('/waitlist')).words).toContain('Held:');
  const { offer } = await only(first);
  const page = await stranger().get(offer?.link ?? '');
  expect(page.words).toContain('It is held for you until');
  // In the week once, as a time of its own kind.
  const week = await host.browser.get(`/week?from=${booked.date}`);
  const heldFor = `eld for ${first.displayName}`;
  expect(week.$$('.week-item.is-held').map(({ text }) => text)).toEqual([expect.stringContaining(heldFor)]);
  expect((await host.browser.get(`/day?date=${booked.date}`)).words).toContain(`is h${heldFor} until`);
  expect((await page.submit('Pass it on')).words).toContain('in line.');
  expect((await stranger().get(offer?.link ?? '')).words).toContain('This offer is over');
  const next = await stranger().get((await only(second)).offer?.link ?? '');
  const taken = await next.submit('Take it');
  expect([taken.path, taken.words]).toEqual([
    expect.stringMatching(/^\/booking\//),
    expect.stringContaining(`Booked for ${second.displayName}`),
  ]);
});

test('ask the questions of an offered time: no booking without its answers', async () => {
  const [host, booker, waiter] = [await newProvider(), await newConsumer(), await newConsumer()];
  const questionText = 'Have you been here before?';
  const templateId = await publishQuestions(host, [{ questionText, required: true }]);
  const [slot] = (await publish(host, { dates: [dayAhead(2)] }, `templateId=${templateId}`)) as [Row];
  await book(booker, slot);
  await add(waiter, host);
  await cancel(booker, slot);
  const refused = await (await stranger().get((await only(waiter)).offer?.link ?? '')).submit('Take it');
  expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('needs an answer')]);
  const name = refused.$('main textarea')?.getAttribute('name') ?? '';
  expect((await refused.submit('Take it', { [name]: 'Never' })).path).toMatch(/^\/booking\//);
  expect(await agenda(host)).toMatchObject([{ formData: [{ question: questionText, answer: 'Never' }] }]);
});

test('let the provider see who waits, offer a time and take a wish away, once each', async () => {
  const { host } = await fullyBooked();
  const ana = await newConsumer();
  await add(ana, host, { to: dayAhead(2), before: '09:00' });
  const [slot] = (await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(4)] })) as [Row];
  const list = await host.browser.get('/waitlist');
  expect(list.words).toContain(`1. ${ana.displayName}`);
  const offered = await list.submit('Hold it for them');
  expect(offered.words).toContain('The time is held for them');
  const { id, offer } = await only(ana);
  expect(offer).toMatchObject({ slotId: slot.id });
  expect((await host.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${slot.id}`)).status).toBe(409);
  expect((await offered.submit('Take off the list')).words).toContain('Nobody waits.');
  expect((await host.api('DELETE', `/api/Waitlist/Remove?id=${id}`)).status).toBe(204);
  expect(await openSlotsOf(ana, host)).toMatchObject([{ startsAt: slot.startsAt }]);
});

test('say before anything is typed that nobody can wait for what takes several times', async () => {
  const [host, maya] = [await newProvider(), await newConsumer()];
  const service = await createService(host, { minutes: 60 });
  const wait = `/with/${host.username}/wait`;
  // Without any time to compare with, one that is long enough may come.
  expect((await (await stranger().get(`${wait}?service=${service.id}`)).submit('Tell me', gus)).status).toBe(200);
  const [first] = await publish(host, { start: '12:00', end: '13:00', dates: [dayAhead(2)] });
  const booked = (await book(maya, { id: `${first?.id}&service=${service.id}` })).json as Row;
  for (const page of [
    await stranger().get(`${wait}?service=${service.id}`),
    await maya.browser.get(`${wait}?insteadOf=${booked.id}`),
    await (await stranger().get(booked.link ?? '')).click('Tell me if an earlier time comes free'),
  ]) {
    expect(page.words).toContain('This takes longer than one of the times here');
    expect(page.$('main form')).toBeNull();
  }
});

test('a form that comes too late offers to wait for a time that somebody has, and not for one that was taken back', async () => {
  const [host, ana, maya] = await Promise.all([newProvider(), newConsumer(), newConsumer()]);
  const [taken, gone] = (await publish(host, { end: '10:00' })) as [Row, Row];
  const wait = 'Tell me if this time comes free';
  /** Opens both forms, and sends them when it is too late. */
  const late = async ({ id }: Row, happen: () => Promise<unknown>) => {
    const [guestForm, clientForm] = [
      await stranger().get(`/with/${host.username}/${id}`),
      await maya.browser.visit(`/details/${id}`),
    ];
    await happen();
    const pages = [
      await guestForm.submit('Book', { displayName: 'Gus' }),
      await clientForm.submit('Book this appointment'),
    ];
    return pages.map(({ status, words }) => [status, words.includes(wait)]);
  };
  expect(await late(taken, () => book(ana, taken))).toEqual(Array(2).fill([409, true]));
  expect(await late(gone, () => cancel(host, gone))).toEqual(Array(2).fill([409, false]));
  await setRules(host, { waitlist: 'off' });
  expect((await maya.browser.visit(`/details/${taken.id}`)).words).not.toContain(wait);
});
