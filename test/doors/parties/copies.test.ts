import { describe, expect, test } from 'vitest';
import { tripsOf } from '../../support/asked';
import { confirmAddress } from '../../support/confirmed';
import { dayAhead, peopleAt } from '../../support/factories';
import { mailTo } from '../../support/mails';
import {
  createMeetup,
  createParty,
  full,
  linkOf,
  type Party,
  partiesOf,
  partyOf,
  publishQuestions,
  rsvp,
} from '../../support/party-factories';
import { openEnded } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { useWorld } from '../../support/world';

/* Parties and meetups that their host makes again: for one new date, or for each week until a day. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });

const picked = (days: number) => `${dayAhead(days).slice(6)}-${dayAhead(days).slice(0, 5)}`;
const questions = [{ questionText: 'What do you bring?', questionType: openEnded }];
const myParties = async (who = host) => partiesOf(await who.api('GET', '/api/Party/GetMy'));
const myMeetups = async (who = host) => partiesOf(await who.api('GET', '/api/meetup/GetMyMeetups'));
const titled = (list: Party[], title: string) => list.filter((party) => party.title === title);

describe('a party copied for a new date', () => {
  const draft = async (title: string) =>
    createParty(host, {
      ...full,
      title,
      locationUrl: 'https://map.example/1',
      hideGoing: true,
      openTo: 'anyone',
      template: await publishQuestions(host, questions),
    });

  test('has all but its days and its answers', async () => {
    const source = await draft('Copied');
    await rsvp(maya, source, {}, [{ question: 'What do you bring?', answer: 'Cake' }]);
    const form = await (await host.browser.visit(`/view-party/${source.id}`)).click('Copy for a new date');
    expect(tripsOf(form)).toBe(1);
    for (const name of ['date', 'rsvpBy']) {
      expect(form.$(`input[name=${name}]`)?.getAttribute('value') ?? '').toBe('');
    }
    await form.submit('Create party', { date: picked(20) });
    const [, copy] = titled(await myParties(), 'Copied');
    const { id, date, startsAt, endsAt, invitations, formData, going, ...facts } = copy as Party;
    expect(facts).toEqual(Object.fromEntries(Object.keys(facts).map((name) => [name, source[name as keyof Party]])));
    expect([id === source.id, date, invitations, formData, going]).toEqual([false, dayAhead(20), [], [], 0]);
    expect(endsAt).toBe(`${picked(20)}T22:00:00.000Z`);
    expect(startsAt).toBe(`${picked(20)}T18:00:00.000Z`);
  });

  test('is for its host alone', async () => {
    const source = await draft('Not yours');
    const path = `/create-party?copy=${source.id}`;
    expect((await rival.browser.get(path)).status).toBe(404);
    expect((await maya.browser.get(path)).status).toBe(403);
    expect((await daybook.visitor().get(path)).status).toBe(302);
    expect((await host.browser.get(`/create-party?copy=none`)).status).toBe(404);
  });

  test('without a date comes back with all that was typed', async () => {
    const source = await draft('Typed anew');
    const form = await host.browser.get(`/create-party?copy=${source.id}`);
    const refused = await form.submit('Create party', { title: 'Another title', capacity: 'many' });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain('Date is missing.');
    expect(refused.words).toContain('Capacity must be a whole number from 1 to 100,000.');
    expect(refused.$('input[name=title]')?.getAttribute('value')).toBe('Another title');
    expect(titled(await myParties(), 'Another title')).toEqual([]);
  });

  test('sent twice is one', async () => {
    const source = await draft('Sent twice');
    const form = await host.browser.get(`/create-party?copy=${source.id}`);
    const [one, two] = [
      await form.submit('Create party', { date: picked(21) }),
      await form.submit('Create party', { date: picked(21) }),
    ];
    expect([one.status, two.path]).toEqual([200, one.path]);
    expect(titled(await myParties(), 'Sent twice')).toHaveLength(2);
  });

  test('whose questions were deleted says so and asks none', async () => {
    const source = await draft('No questions left');
    await host.api('DELETE', `/api/Checkin/DeleteTemplate?id=${source.template}`);
    const form = await host.browser.get(`/create-party?copy=${source.id}`);
    expect(form.words).toContain('Its questions were edited or deleted since');
    await form.submit('Create party', { date: picked(22) });
    expect(titled(await myParties(), 'No questions left').map(({ template }) => template)).toEqual([
      source.template,
      null,
    ]);
  });
});

describe('a party every week until a day', () => {
  const preview = async ({ id }: { id: string }, until: string, who = host) =>
    (await who.browser.visit(`/view-party/${id}`))
      .click('Every week until …')
      .then((page) => page.submit('Show the days', { until }));
  const daysOn = (page: Page) => page.$$('input[name=dates]').map((box) => box.getAttribute('value'));

  test('is shown day by day, and made for those that stay ticked', async () => {
    const template = await publishQuestions(host, questions);
    const source = await createParty(host, { ...full, title: 'Weekly', template });
    await rsvp(maya, source, {}, [{ question: 'What do you bring?', answer: 'Cake' }]);
    const page = await preview(source, picked(35));
    expect([page.status, tripsOf(page)]).toEqual([200, 1]);
    expect(daysOn(page)).toEqual([14, 21, 28, 35].map(picked));
    expect(page.words).toContain('18:00 to 22:00');
    expect(titled(await myParties(), 'Weekly')).toHaveLength(1);
    const dates = [picked(14), picked(35)];
    const done = await page.submit('Make the copies', { dates });
    expect([done.status, done.words.includes('The copies are made.')]).toEqual([200, true]);
    const [first, ...copies] = titled(await myParties(), 'Weekly');
    expect(first?.id).toBe(source.id);
    expect(copies.map(({ date }) => date)).toEqual([dayAhead(14), dayAhead(35)]);
    for (const copy of copies) {
      const { title, description, address, startTime, endTime, timeZone, openTo } = source;
      expect(copy).toMatchObject({ title, description, address, startTime, endTime, timeZone, template, openTo });
      expect([copy.invitations, copy.going]).toEqual([[], 0]);
      expect((await rsvp(maya, copy, { guests: 3 }, [{ question: 'What do you bring?', answer: 'Tea' }])).status).toBe(
        200,
      );
    }
    const again = await preview(source, picked(35));
    expect(again.$$('input[name=dates][checked]').map((box) => box.getAttribute('value'))).toEqual(
      [21, 28].map(picked),
    );
    expect(again.words).toContain('You have a party with this title then already.');
  });

  test('keeps its local time where the clocks change', async () => {
    const swiss = await newProvider({ timeZone: 'Europe/Zurich' });
    const source = await createParty(swiss, { title: 'All year' });
    const page = await preview(source, picked(7 + 26 * 7), swiss);
    expect(daysOn(page)).toHaveLength(26);
    await page.submit('Make the copies');
    const times = (await myParties(swiss)).map(({ startTime, endTime }) => `${startTime} ${endTime}`);
    expect(times).toEqual(Array(27).fill('18:00 22:00'));
    const offsets = new Set((await myParties(swiss)).map(({ startsAt }) => startsAt.slice(11)));
    expect(offsets.size).toBe(2);
  });

  test('is for its host alone', async () => {
    const source = await createParty(host, { title: 'Mine' });
    const path = `/repeat/${source.id}?until=${picked(21)}`;
    const typed = { dates: [picked(14)], sequence: '0', once: 'stranger' };
    expect((await rival.browser.post(path, typed)).status).toBe(404);
    expect((await maya.browser.post(path, typed)).status).toBe(403);
    expect((await daybook.visitor().post(path, typed)).status).toBe(303);
    expect((await rival.browser.get(path)).status).toBe(404);
    expect(titled(await myParties(), 'Mine')).toHaveLength(1);
    expect(await myParties(rival)).toEqual([]);
  });

  test('says what is wrong with the day, with the days, and with a party that was changed meanwhile', async () => {
    const source = await createParty(host, { title: 'Picky' });
    const early = await preview(source, picked(8));
    expect(early.words).toMatch(/The first copy would be on .*: choose that day or a later one\./);
    expect(daysOn(early)).toEqual([]);
    expect((await preview(source, picked(300))).words).toMatch(/At most 26 copies are made at a time: choose /);
    const page = await preview(source, picked(35));
    const refused = await page.submit('Make the copies', { dates: [] });
    expect([refused.status, refused.words.includes('Tick at least one day.')]).toEqual([400, true]);
    expect(daysOn(refused)).toHaveLength(4);
    const send = (typed: Record<string, string | string[]>) =>
      host.browser.post(page.path, { sequence: '0', once: 'wrong', ...typed });
    for (const dates of [[picked(15)], [picked(7)], [picked(0)], ['tomorrow'], [picked(14), picked(14)]]) {
      const wrong = await send({ dates });
      expect([dates, wrong.status, wrong.words.includes('Choose among the days of this page.')]).toEqual([
        dates,
        400,
        true,
      ]);
    }
    expect((await send({ dates: [picked(14)], templateId: 'none' })).words).toContain(
      'These questions are not there any more.',
    );
    await host.api('PUT', `/api/Party/EditParty/${source.id}`, { startTime: '17:00' });
    const late = await page.submit('Make the copies');
    expect(late.status).toBe(409);
    expect(late.words).toContain('This party has changed since this page was made. Please look at it again.');
    expect(late.words).toContain('17:00 to 22:00');
    expect(titled(await myParties(), 'Picky')).toHaveLength(1);
  });

  test('sent twice, and five times at once, makes the copies once', async () => {
    const source = await createParty(host, { title: 'Once' });
    const page = await preview(source, picked(28));
    const [one] = [await page.submit('Make the copies'), await page.submit('Make the copies')];
    expect(new URL(one.url).pathname).toBe('/view-parties');
    const typed = { dates: [picked(14)], sequence: '0', once: 'at once' };
    const many = await Promise.all(Array.from({ length: 5 }, () => host.browser.post(page.path, typed)));
    expect(many.map(({ status }) => status)).toEqual(Array(5).fill(303));
    expect(titled(await myParties(), 'Once')).toHaveLength(1 + 3 + 1);
    await host.api('DELETE', `/api/Party/DeleteParty?id=${source.id}`);
    expect((await host.browser.post(page.path, typed)).status).toBe(303);
    expect(titled(await myParties(), 'Once')).toHaveLength(4);
  });
});

describe('a meetup every week until a day', () => {
  const preview = async ({ id }: { id: string }, until: string) =>
    (await (await host.browser.visit(`/manage-meetup/${id}`)).click('Every week until …')).submit('Show the days', {
      until,
    });

  test('has the same names with new links in each copy', async () => {
    const source = await createMeetup(host, { ...full, title: 'Chess', attendees: ['Ada', 'Ben', 'Çelik'] });
    const link = linkOf(source, 'Ada');
    await daybook.visitor().api('PUT', `/api/meetup/ChangeRsvp?id=${link.id}&meetupid=${source.id}&accepted=true`);
    const done = await (await preview(source, picked(28))).submit('Make the copies');
    expect(done.words).toContain('Everyone has a link for each of them.');
    const all = titled(await myMeetups(), 'Chess');
    expect(all.map(({ date }) => date)).toEqual([7, 14, 21, 28].map((days) => dayAhead(days)));
    for (const copy of all.slice(1)) {
      expect(copy.attendees.map(({ username, accepted }) => [username, accepted])).toEqual([
        ['Ada', null],
        ['Ben', null],
        ['Çelik', null],
      ]);
    }
    const ids = all.flatMap(({ attendees }) => attendees.map(({ id }) => id));
    expect([new Set(ids).size, ids.every((id) => /^[\w-]{22}$/.test(id))]).toEqual([12, true]);
    for (const { attendees } of all) {
      const id = attendees[0]?.id;
      expect((await daybook.visitor().get(`/meetup-rsvp/${id}`)).status).toBe(200);
    }
    const lines = (await host.browser.get('/view-meetups')).words.match(/Chess \d of 3 accepted/g);
    expect(lines).toEqual(['Chess 1 of 3 accepted', ...Array(3).fill('Chess 0 of 3 accepted')]);
  });

  test('of many names has its limit, in words', async () => {
    const attendees = Array.from({ length: 500 }, (_, place) => `Name ${place}`);
    const source = await createMeetup(host, { title: 'Hall', attendees });
    const refused = await (await preview(source, picked(42))).submit('Make the copies');
    expect(refused.status).toBe(400);
    expect(refused.words).toContain('500 names have at most 2,000 invitations at a time: tick 4 days at most.');
    const dates = [14, 21, 28, 35].map(picked);
    expect((await refused.submit('Make the copies', { dates })).status).toBe(200);
    expect(titled(await myMeetups(), 'Hall').map(({ attendees }) => attendees.length)).toEqual(Array(5).fill(500));
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
    const id = new URL(made.url).pathname.split('/').at(-1) ?? '';
    const copy = await host.browser.get(`/view-meetups?copy=${id}`);
    expect(copy.$('textarea[name=attendees]')?.text.trim().split('\n')).toEqual([
      'Ada',
      'Ben <ben@copies.test>',
      'Cem',
    ]);
    const first = await preview({ id }, picked(14));
    expect(first.words).toContain('Mail the invitations now: one for each day to the name with an address');
    await first.submit('Make the copies', { isMailed: false });
    await (await preview({ id }, picked(28))).submit('Make the copies', { dates: [21, 28].map(picked) });
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

  test('sent twice makes them once, and by another host none', async () => {
    const source = await createMeetup(host, { title: 'Solo' });
    const page = await preview(source, picked(14));
    await page.submit('Make the copies');
    await page.submit('Make the copies');
    const typed = { dates: [picked(14)], sequence: '0', once: 'rival' };
    expect((await rival.browser.post(`/repeat/${source.id}`, typed)).status).toBe(404);
    expect(titled(await myMeetups(), 'Solo')).toHaveLength(2);
    expect((await partyOf(host, source)).attendees).toHaveLength(2);
  });
});
