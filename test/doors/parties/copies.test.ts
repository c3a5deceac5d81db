import { describe, expect, test } from 'vitest';
import { dayAhead, several } from '../../support/factories';
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
  partyOf,
  publishQuestions,
  reply,
  rsvp,
} from '../../support/party-factories';
import { openEnded } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, tripsOf } from '../../support/visit';

/* Parties and meetups that their host makes again: for one new date, or for each week until a day. */

const daybook = useServer();
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });

const picked = (days: number) => `${dayAhead(days).slice(6)}-${dayAhead(days).slice(0, 5)}`;
const questions = [{ questionText: 'What do you bring?', questionType: openEnded }];
const bring = (answer: string) => [{ question: 'What do you bring?', answer }];
const copiesOf = async ({ id, title }: Party, list = hosted) =>
  (await list(host)).filter((one) => one.title === title && one.id !== id);
const dateIn = (page: Page, name: string) => page.$(`input[name=${name}]`)?.getAttribute('value') ?? '';

/** The page that shows each week's day until one, of a party or meetup. */
async function preview({ id, meetupId }: Pick<Party, 'id' | 'meetupId'>, until: string, who = host) {
  const page = await who.browser.visit(meetupId === null ? `/view-party/${id}` : `/manage-meetup/${id}`);
  return (await page.click('Every week until …')).submit('Show the days', { until });
}
const daysOn = (page: Page, which = '') => page.$$(`input[name=dates]${which}`).map((box) => box.getAttribute('value'));

describe('a copy for a new date', () => {
  const draft = async (title: string) =>
    createParty(host, {
      ...full,
      title,
      locationUrl: 'https://map.example/1',
      hideGoing: true,
      openTo: 'anyone',
      template: await publishQuestions(host, questions),
    });

  test('of a party has all but its days and its answers, and sent twice is one', async () => {
    const source = await draft('Copied');
    await rsvp(maya, source, {}, bring('Cake'));
    const form = await (await host.browser.visit(`/view-party/${source.id}`)).click('Copy for a new date');
    expect([tripsOf(form), dateIn(form, 'date'), dateIn(form, 'rsvpBy')]).toEqual([1, '', '']);
    const made = await form.submit('Create party', { date: picked(20) });
    const again = await form.submit('Create party', { date: picked(20) });
    expect([made.status, again.path]).toEqual([200, made.path]);
    const [copy, ...more] = await copiesOf(source);
    expect(more).toEqual([]);
    expect(copy).toEqual({
      ...source,
      id: copy?.id,
      date: dayAhead(20),
      startsAt: `${picked(20)}T18:00:00.000Z`,
      endsAt: `${picked(20)}T22:00:00.000Z`,
    });
  });

  test('of a meetup has the same names with new links', async () => {
    const source = await createMeetup(host, { ...full, title: 'Monthly', attendees: ['Ada', 'Zoë & Co', 'Ben'] });
    await reply(daybook.visitor(), linkOf(source, 'Ada'));
    const page = await (await host.browser.get(`/manage-meetup/${source.id}`)).click('Copy for a new date');
    expect(dateIn(page, 'date')).toBe('');
    expect((await page.submit('Create meetup', { date: picked(30) })).status).toBe(200);
    const [copy] = (await copiesOf(source, meetups.hosted)) as [Party];
    const { description, address, startTime, endTime } = source;
    expect(copy).toMatchObject({ description, address, startTime, endTime, date: dayAhead(30), going: 0 });
    expect(meetups.namesIn(copy)).toEqual(['Ada', 'Ben', 'Zoë & Co']);
    expect(linkOf(copy, 'Ada').id).not.toBe(linkOf(source, 'Ada').id);
  });

  test('is for its host alone', async () => {
    const [party, meetup] = await Promise.all([draft('Not yours'), createMeetup(host)]);
    const path = `/create-party?copy=${party.id}`;
    for (const theirs of [path, `/view-meetups?copy=${meetup.id}`]) {
      expect((await rival.browser.get(theirs)).status).toBe(404);
    }
    expect((await maya.browser.get(path)).status).toBe(403);
    expect((await daybook.visitor().get(path)).status).toBe(302);
    expect((await host.browser.get(`/create-party?copy=none`)).status).toBe(404);
  });

  test('whose questions were deleted says so and asks none', async () => {
    const source = await draft('No questions left');
    await host.api('DELETE', `/api/Checkin/DeleteTemplate?id=${source.template}`);
    const form = await host.browser.get(`/create-party?copy=${source.id}`);
    expect(form.words).toContain('Its questions were edited or deleted since');
    await form.submit('Create party', { date: picked(22) });
    expect(await copiesOf(source)).toMatchObject([{ template: null }]);
  });
});

describe('a party every week until a day', () => {
  test('is shown day by day, and made for those that stay ticked', async () => {
    const template = await publishQuestions(host, questions);
    const source = await createParty(host, { ...full, title: 'Weekly', template });
    await rsvp(maya, source, {}, bring('Cake'));
    const page = await preview(source, picked(35));
    expect([page.status, tripsOf(page), daysOn(page)]).toEqual([200, 1, [14, 21, 28, 35].map(picked)]);
    expect(page.words).toContain('18:00 to 22:00');
    expect(await copiesOf(source)).toEqual([]);
    const done = await page.submit('Make the copies', { dates: [picked(14), picked(35)] });
    expect([done.status, done.words.includes('The copies are made.')]).toEqual([200, true]);
    const copies = await copiesOf(source);
    expect(copies.map(({ date }) => date)).toEqual([dayAhead(14), dayAhead(35)]);
    for (const copy of copies) {
      const { id, date, startsAt, endsAt } = copy;
      expect(copy).toEqual({ ...source, id, date, startsAt, endsAt });
      expect((await rsvp(maya, copy, { guests: 3 }, bring('Tea'))).status).toBe(200);
    }
    const again = await preview(source, picked(35));
    expect(daysOn(again, '[checked]')).toEqual([21, 28].map(picked));
    expect(again.words).toContain('You have a party with this title then already.');
  });

  test('says what is wrong with the day, with the days, and with a party that was changed meanwhile', async () => {
    const source = await createParty(host, { title: 'Picky' });
    const early = await preview(source, picked(8));
    expect(early.words).toMatch(/The first copy would be on .*: choose that day or a later one\./);
    expect(daysOn(early)).toEqual([]);
    const page = await preview(source, picked(35));
    const refused = await page.submit('Make the copies', { dates: [] });
    expect([refused.status, refused.words.includes('Tick at least one day.')]).toEqual([400, true]);
    expect(daysOn(refused)).toHaveLength(4);
    const send = (typed: Record<string, string | string[]>) =>
      host.browser.post(page.path, { sequence: '0', once: 'wrong', ...typed });
    for (const dates of [[picked(15)], [picked(7)], [picked(0)], ['tomorrow'], [picked(14), picked(14)]]) {
      const wrong = await send({ dates });
      expect([dates, wrong.status]).toEqual([dates, 400]);
      expect(wrong.words).toContain('Choose among the days of this page.');
    }
    const unasked = await send({ dates: [picked(14)], templateId: 'none' });
    expect(unasked.words).toContain('These questions are not there any more.');
    await edit(host, source, { startTime: '17:00' });
    const late = await page.submit('Make the copies');
    expect(late.status).toBe(409);
    expect(late.words).toContain('This party has changed since this page was made. Please look at it again.');
    expect(late.words).toContain('17:00 to 22:00');
    expect(await copiesOf(source)).toEqual([]);
  });

  test('sent twice, and five times at once, makes the copies once, and none for others', async () => {
    const source = await createParty(host, { title: 'Once' });
    const page = await preview(source, picked(28));
    const typed = { dates: [picked(14)], sequence: '0', once: 'at once' };
    expect((await rival.browser.post(page.path, typed)).status).toBe(404);
    expect((await rival.browser.get(page.path)).status).toBe(404);
    expect((await maya.browser.post(page.path, typed)).status).toBe(403);
    expect((await daybook.visitor().post(page.path, typed)).status).toBe(303);
    expect([await copiesOf(source), await hosted(rival)]).toEqual([[], []]);
    const [one] = [await page.submit('Make the copies'), await page.submit('Make the copies')];
    expect(new URL(one.url).pathname).toBe('/view-parties');
    const many = await several(5, () => host.browser.post(page.path, typed));
    expect(many.map(({ status }) => status)).toEqual(Array(5).fill(303));
    expect(await copiesOf(source)).toHaveLength(3 + 1);
    await remove(host, source);
    expect((await host.browser.post(page.path, typed)).status).toBe(303);
    expect(await copiesOf(source)).toHaveLength(4);
  });
});

describe('a meetup every week until a day', () => {
  test('has the same names with new links in each copy, and is made once where it is sent twice', async () => {
    const source = await createMeetup(host, { ...full, title: 'Chess', attendees: ['Ada', 'Ben', 'Çelik'] });
    await reply(daybook.visitor(), linkOf(source, 'Ada'));
    const page = await preview(source, picked(28));
    const typed = { dates: [picked(14)], sequence: '0', once: 'rival' };
    expect((await rival.browser.post(`/repeat/${source.id}`, typed)).status).toBe(404);
    const done = await page.submit('Make the copies');
    expect(done.words).toContain('Everyone has a link for each of them.');
    await page.submit('Make the copies');
    const copies = await copiesOf(source, meetups.hosted);
    expect(copies.map(({ date }) => date)).toEqual([14, 21, 28].map((days) => dayAhead(days)));
    for (const copy of copies) {
      const answers = Object.fromEntries(await answersIn(host, copy));
      expect(answers).toEqual({ Ada: null, Ben: null, Çelik: null });
      expect((await daybook.visitor().get(`/meetup-rsvp/${linkOf(copy, 'Ada').id}`)).status).toBe(200);
    }
    const ids = [source, ...copies].flatMap(({ attendees }) => attendees.map(({ id }) => id));
    expect([new Set(ids).size, ids.every((id) => /^[\w-]{22}$/.test(id))]).toEqual([12, true]);
    const lines = (await host.browser.get('/view-meetups')).words.match(/Chess \d of 3 accepted/g);
    expect(lines).toEqual(['Chess 1 of 3 accepted', ...Array(3).fill('Chess 0 of 3 accepted')]);
  });

  test('of many names has its limit, in words', async () => {
    const source = await createMeetup(host, { title: 'Hall', attendees: meetups.crowd(500) });
    const refused = await (await preview(source, picked(42))).submit('Make the copies');
    expect(refused.status).toBe(400);
    expect(refused.words).toContain('500 names have at most 2,000 invitations at a time: tick 4 days at most.');
    const dates = [14, 21, 28, 35].map(picked);
    expect((await refused.submit('Make the copies', { dates })).status).toBe(200);
    const copies = await copiesOf(source, meetups.hosted);
    expect(copies.map(({ attendees }) => attendees.length)).toEqual(Array(4).fill(500));
  });

  test('mails the invitations of each day where that is ticked, and keeps the addresses where it is not', async () => {
    await confirmAddress(daybook.d1, host);
    const form = await host.browser.visit('/view-meetups');
    const typed = { title: 'Mailed', date: picked(7), attendees: 'Ada <ada@copies.test>\nBen <ben@copies.test>\nCem' };
    const made = await form.submit('Create meetup', typed);
    const ada = await mailTo(daybook.visitor(), 'ada@copies.test', /^An invitation/);
    const end = await daybook.visitor().visit(ada.link('/unsubscribe/'));
    await end.submit('No more mails from this sender');
    await mailTo(daybook.visitor(), 'ben@copies.test', /^An invitation/);
    const source = await partyOf(host, { id: new URL(made.url).pathname.split('/').at(-1) ?? '' });
    const copy = await host.browser.get(`/view-meetups?copy=${source.id}`);
    const names = copy.$('textarea[name=attendees]')?.text.trim().split('\n');
    expect(names).toEqual(['Ada', 'Ben <ben@copies.test>', 'Cem']);
    const first = await preview(source, picked(14));
    expect(first.words).toContain('Mail the invitations now: one for each day to the name with an address');
    await first.submit('Make the copies', { isMailed: false });
    await (await preview(source, picked(28))).submit('Make the copies', { dates: [21, 28].map(picked) });
    const mails = async (address: string) =>
      (await daybook.visitor().get('/mail')).text.split('<li>').filter((line) => line.includes(address)).length;
    for (let attempt = 0; attempt < 50 && (await mails('ben@copies.test')) < 3; attempt++) await host.browser.get('/');
    expect([await mails('ada@copies.test'), await mails('ben@copies.test')]).toEqual([1, 3]);
    const { results } = await daybook.d1
      .prepare(`SELECT local_date, email FROM invitations JOIN parties ON parties.id = party_id
        WHERE title = 'Mailed' AND email IS NOT NULL ORDER BY local_date, email`)
      .all();
    expect(results.map(({ local_date, email }) => `${local_date} ${email}`)).toEqual([
      `${picked(7)} ada@copies.test`,
      ...[7, 14, 21, 28].map((days) => `${picked(days)} ben@copies.test`),
    ]);
  });
});
