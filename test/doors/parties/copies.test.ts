import { expect, test } from 'vitest';
import { dayAhead, isoAhead, several } from '../../support/factories';
import { confirmAddress, mailTo } from '../../support/mails';
import * as meetups from '../../support/meetup-calls';
import { edit, hosted, remove } from '../../support/party-calls';
import {
  answersIn,
  createMeetup,
  createParty,
  full,
  linkOf,
  type Party,
  publishQuestions,
  reply,
  rsvp,
} from '../../support/party-factories';
import { deleteTemplate, one } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* Parties and meetups that their host makes again: for one new date, or for each week until a day. */

const daybook = useServer();
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });

const copiesOf = async ({ id, title }: Party, list = hosted) =>
  (await list(host)).filter((one) => one.title === title && one.id !== id);

/** The page that shows each week's day until one, of a party or meetup. */
async function preview({ id, meetupId }: Pick<Party, 'id' | 'meetupId'>, until: string) {
  const page = await host.browser.visit(meetupId === null ? `/view-party/${id}` : `/manage-meetup/${id}`);
  return (await page.click('Every week until …')).submit('Show the days', { until });
}
const daysOn = (page: Page, which = '') => page.$$(`input[name=dates]${which}`).map((box) => box.getAttribute('value'));

test('a copy for a new date has all of a party but its days and its answers, and sent twice is one', async () => {
  const template = await publishQuestions(host, one());
  const details = { ...full, title: 'Copied', locationUrl: 'https://map.example/1', hideGoing: true, openTo: 'anyone' };
  const source = await createParty(host, { ...details, template });
  await rsvp(maya, source, {}, [{ question: 'How are you?', answer: 'Well' }]);
  const form = await (await host.browser.visit(`/view-party/${source.id}`)).click('Copy for a new date');
  const dates = ['date', 'rsvpBy'].map((name) => form.$(`input[name=${name}]`)?.getAttribute('value') ?? '');
  expect(dates).toEqual(['', '']);
  const made = await form.submit('Create party', { date: isoAhead(20) });
  expect((await form.submit('Create party', { date: isoAhead(20) })).path).toBe(made.path);
  const at = { date: dayAhead(20), startsAt: `${isoAhead(20)}T18:00:00.000Z`, endsAt: `${isoAhead(20)}T22:00:00.000Z` };
  expect(await copiesOf(source)).toEqual([{ ...source, ...at, id: expect.not.stringMatching(source.id) }]);
  expect((await rival.browser.get(`/create-party?copy=${source.id}`)).status).toBe(404);

  await deleteTemplate(host, template);
  const asking = await host.browser.get(`/create-party?copy=${source.id}`);
  expect(asking.words).toContain('Its questions were edited or deleted since');
});

test('a party every week until a day is shown day by day, and made for those that stay ticked', async () => {
  const source = await createParty(host, { ...full, title: 'Weekly' });
  await rsvp(maya, source);
  const page = await preview(source, isoAhead(35));
  expect(daysOn(page)).toEqual([14, 21, 28, 35].map(isoAhead));
  expect(await copiesOf(source)).toEqual([]);
  await page.submit('Make the copies', { dates: [isoAhead(14), isoAhead(35)] });
  const copies = await copiesOf(source);
  expect(copies.map(({ date }) => date)).toEqual([dayAhead(14), dayAhead(35)]);
  for (const copy of copies) {
    const { id, date, startsAt, endsAt } = copy;
    expect(copy).toEqual({ ...source, id, date, startsAt, endsAt });
    expect((await rsvp(maya, copy, { guests: 3 })).status).toBe(200);
  }
  expect(daysOn(await preview(source, isoAhead(35)), '[checked]')).toEqual([21, 28].map(isoAhead));
});

test('a party every week is refused for other days than were shown, for none, and where it was changed meanwhile', async () => {
  const source = await createParty(host, { title: 'Picky' });
  expect((await preview(source, isoAhead(8))).words).toContain('choose that day or a later one.');
  const page = await preview(source, isoAhead(35));
  for (const dates of [[], [isoAhead(15)], [isoAhead(7)], ['tomorrow'], [isoAhead(14), isoAhead(14)]]) {
    const wrong = await host.browser.post(page.path, { sequence: '0', once: 'wrong', dates });
    expect([dates, wrong.status]).toEqual([dates, 400]);
  }
  await edit(host, source, { startTime: '17:00' });
  const late = await page.submit('Make the copies');
  expect([late.status, late.words]).toEqual([409, expect.stringContaining('Please look at it again.')]);
  expect(await copiesOf(source)).toEqual([]);
});

test('a party every week, sent five times at once, is made once, and by nobody else', async () => {
  const source = await createParty(host, { title: 'Once' });
  const { path } = await preview(source, isoAhead(28));
  const send = (who = host) => who.browser.post(path, { dates: [isoAhead(14)], sequence: '0', once: 'at once' });
  expect([(await send(rival)).status, (await rival.browser.get(path)).status]).toEqual([404, 404]);
  expect((await several(5, () => send())).map(({ status }) => status)).toEqual(Array(5).fill(303));
  await remove(host, source);
  expect((await send()).status).toBe(303);
  expect([(await copiesOf(source)).length, await hosted(rival)]).toEqual([1, []]);
});

test('a meetup every week has the same names with new links in each copy, and is made once where it is sent twice', async () => {
  const source = await createMeetup(host, { ...full, title: 'Chess' });
  await reply(daybook.visitor(), linkOf(source, 'Ada'));
  const page = await preview(source, isoAhead(28));
  for (const _ of [1, 2]) await page.submit('Make the copies');
  const copies = await copiesOf(source, meetups.hosted);
  expect(copies.map(({ date }) => date)).toEqual([14, 21, 28].map((days) => dayAhead(days)));
  for (const copy of copies) {
    expect(Object.fromEntries(await answersIn(host, copy))).toEqual({ Ada: null, Ben: null });
    expect((await daybook.visitor().get(`/meetup-rsvp/${linkOf(copy, 'Ada').id}`)).status).toBe(200);
  }
  const ids = [source, ...copies].flatMap(({ attendees }) => attendees.map(({ id }) => id));
  expect(new Set(ids).size).toBe(8);
});

test('a meetup every week mails its invitations where that is ticked, and keeps the addresses where it is not', async () => {
  await confirmAddress(daybook.d1, host);
  const attendees = ['ada', 'ben'].map((name) => ({ name, email: `${name}@copies.test` }));
  const source = await createMeetup(host, { title: 'Mailed', attendees });
  const ada = await mailTo(daybook.visitor(), 'ada@copies.test', /^An invitation/);
  const end = await daybook.visitor().visit(ada.link('/unsubscribe/'));
  await end.submit('No more mails from this sender');
  await mailTo(daybook.visitor(), 'ben@copies.test', /^An invitation/);
  await (await preview(source, isoAhead(14))).submit('Make the copies', { isMailed: false });
  await (await preview(source, isoAhead(28))).submit('Make the copies', { dates: [21, 28].map(isoAhead) });
  const mails = async (address: string) =>
    (await daybook.visitor().get('/mail')).text.split('<li>').filter((line) => line.includes(address)).length;
  for (let attempt = 0; attempt < 50 && (await mails('ben@copies.test')) < 3; attempt++) await host.browser.get('/');
  expect([await mails('ada@copies.test'), await mails('ben@copies.test')]).toEqual([1, 3]);
  const kept = "SELECT count(*) AS n FROM invitations WHERE email = 'ben@copies.test'";
  expect(await daybook.d1.prepare(kept).first('n')).toBe(4);
});
