import { beforeAll, describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { dayAhead, isoAhead, peopleAt, publish, type Row } from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { intake } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { contentOf, type Page, titleOf } from '../../support/visit';
import { weightsOf } from '../../support/weight';

/* The letters on which a guest moves a booking, and books its time again. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { ana } = useWorld(daybook, { ana: {} });

const stranger = () => daybook.visitor();
const formOf = ({ provider, id }: Row) => stranger().get(`/with/${provider}/${id}`);

describe('every letter of a booking', () => {
  let letters: Record<string, Page> = {};

  beforeAll(async () => {
    const daily = [1, 2, 3, 8, 9, 15, 22, 29, 36, 43, 50].map((days) => dayAhead(days));
    const slots = await publish(ana, { dates: daily, start: '08:00', end: '18:00' });
    const template = await publishQuestions(ana, intake);
    const [asking] = (await publish(ana, { dates: [dayAhead(4)] }, `templateId=${template}`)) as [Row];
    const [first] = slots as [Row];
    const { path } = await (await formOf(first)).submit('Book', { displayName: 'Zoë' });
    const [link] = path.split('?');
    letters = {
      'a move': await stranger().get(`${link}/move`),
      'a move to a full day': await stranger().get(`${link}/move?day=${dayAhead(2)}`),
      'a move to a time that asks': await stranger().get(`${link}/move/${asking.id}`),
      'a move to a time that is gone': await stranger().get(`${link}/move/${first.id}A`),
      'the time again': await stranger().get(`${link}/again`),
      'the dates of a series': await stranger().get(`${link}/again?every=7&ends=until&until=${isoAhead(364)}`),
      'a move of what is not there': await stranger().get('/booking/AAAAAAAAAAAAAAAAAAAAAA/move'),
      'the time again of what is not there': await stranger().get('/booking/AAAAAAAAAAAAAAAAAAAAAA/again'),
    };
    const statuses = Object.values(letters).map(({ status }) => status);
    expect(statuses).toEqual([...Array(6).fill(200), 404, 404]);
  });

  test('weighs at most 10,000 bytes in one request, in each language', async () => {
    for (const [name, page] of Object.entries(letters)) {
      for (const { language, requests, bytes } of await weightsOf(page)) {
        expect(requests, name).toBe(1);
        expect(bytes, `${name} in ${language}`).toBeLessThanOrEqual(10_000);
      }
    }
  });

  test('loads no script', () => {
    for (const [name, page] of Object.entries(letters))
      expect(page.$$('script, link[rel=modulepreload]'), name).toEqual([]);
  });

  test('is found by no search engine', () => {
    for (const [name, page] of Object.entries(letters))
      if (page.status === 200) expect(contentOf(page, 'name=robots'), name).toBe('noindex, nofollow');
  });
});

describe('with its letters', () => {
  test('a guest moves a booking by one press on a time', async () => {
    const host = await newProvider();
    const [first, second] = (await publish(host, { dates: [dayAhead(1)], end: '10:00' })) as [Row, Row];
    const booked = await (await formOf(first)).submit('Book', { displayName: 'Zoë' });

    const choice = await booked.click('Change the time');
    const moved = await choice.submit('button[formaction]');

    expect(titleOf(choice)).toBe('Move an appointment');
    expect(moved.words).toContain('It is moved. This is the new time.');
    expect((await agenda(host)).map(({ startTime }) => startTime)).toEqual([second.startTime]);
  });

  test('a guest books a time for three weeks by two presses', async () => {
    const host = await newProvider();
    const [first] = (await publish(host, { dates: [1, 8, 15].map((days) => dayAhead(days)) })) as [Row];
    const booked = await (await formOf(first)).submit('Book', { displayName: 'Zoë' });

    const again = await booked.click('The same time again');
    const dates = await again.submit('Show the dates', { every: '7', times: '3' });
    const done = await dates.submit('Book these 2 more');

    expect(done.words).toContain('All 3 appointments are booked.');
    expect(await agenda(host)).toHaveLength(3);
  });
});
