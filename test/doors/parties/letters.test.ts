import { beforeAll, describe, expect, test } from 'vitest';
import { book, dayAhead, password, peopleAt, publish, type Row } from '../../support/factories';
import { buttonsOf, classesWithoutStyle, linkPath, partyPath } from '../../support/letters';
import { edit } from '../../support/party-calls';
import {
  answersIn,
  closeAnswers,
  createMeetup,
  createParty,
  endParty,
  full,
  linkOf,
  type Party,
  partyOf,
  publishQuestions,
  reply,
  rsvp,
} from '../../support/party-factories';
import { intake, intakeAnswers, openEnded, singleChoice } from '../../support/template-factories';
import { held, useServer, useWorld } from '../../support/use-server';
import { contentOf, type Page, tripsOf, typedIn, type Visitor } from '../../support/visit';
import { weightOf } from '../../support/weight';

/* What all letters of parties and meetups have in common: what they weigh, keep and tell, their times; and which answers they take. */

const daybook = useServer();
const { host, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  maya: { username: 'maya.l' },
  june: {},
});

describe('every letter', () => {
  let party: Party;
  let meetup: Party;
  let letters: Record<string, Page> = {};

  beforeAll(async () => {
    const template = await publishQuestions(host, intake);
    party = await createParty(host, { ...full, title: 'Midsummer night', template });
    meetup = await createMeetup(host, { ...full, title: 'Book club', attendees: ['Wilhelmina', 'Ben', 'Cem'] });
    await rsvp(maya, party, { guests: 2 }, intakeAnswers);
    await reply(daybook.visitor(), linkOf(meetup, 'Ben'));
    const stranger = daybook.visitor();
    const questions = `${partyPath(party)}?step=questions`;
    letters = {
      'a party to a stranger': await stranger.get(partyPath(party)),
      'a party to a guest': await june.browser.get(partyPath(party)),
      'its questions': await june.browser.get(questions),
      'its questions to who has answered': await maya.browser.get(questions),
      'a party to who said yes': await maya.browser.get(partyPath(party)),
      'a party to its host': await host.browser.get(partyPath(party)),
      'a meetup': await stranger.get(linkPath(linkOf(meetup, 'Wilhelmina'))),
      'a meetup to who accepted': await stranger.get(linkPath(linkOf(meetup, 'Ben'))),
      'a party that is not there': await stranger.get('/party/AAAAAAAAAAAAAAAAAAAAAA'),
      'a meetup with a dead link': await stranger.get('/meetup-rsvp/AAAAAAAAAAAAAAAAAAAAAA'),
    };
    const statuses = Object.values(letters).map(({ status }) => status);
    expect(statuses).toEqual([...Array(8).fill(200), 404, 404]);
  });

  const letter = (name: string) => letters[name] as Page;
  async function each(answer: unknown, ask: (page: Page) => unknown) {
    for (const [name, page] of Object.entries(letters)) expect([name, await ask(page)]).toEqual([name, answer]);
  }

  test('weighs at most 10 KB in one request after one trip to the database, with no script but 1 KB that its policy allows', async () => {
    await each([1, 1, 'light', 'light'], async (page) => {
      const { requests, bytes } = await weightOf(daybook.visitor(), page);
      const [, nonce] = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
      const scripts = page.$$('script');
      for (const script of scripts) expect(script.getAttribute('nonce')).toBe(nonce ?? 'some');
      const code = scripts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      return [tripsOf(page), requests, bytes <= 10_000 ? 'light' : bytes, code <= 1024 ? 'light' : code];
    });
  });

  test('has each of its classes in its styles, which its policy allows', async () => {
    await each([], classesWithoutStyle);
    const [taken, free] = (await publish(host, { dates: [dayAhead(2)], end: '10:00' })) as [Row, Row];
    await book(maya, taken);
    for (const [place, status] of [[taken.id, 409] as const, ['', 200] as const, [free.id, 200] as const]) {
      const page = await daybook.visitor().get(`/with/${host.username}/${place}`.replace(/\/$/, ''));
      expect([place, page.status, classesWithoutStyle(page)]).toEqual([place, status, []]);
    }
  });

  test('is for no search engine, is kept by nobody, and tells no other site where it is', async () => {
    for (const page of Object.values(letters).filter(({ status }) => status === 200)) {
      const kept = ['cache-control', 'referrer-policy'].map((name) => page.headers.get(name));
      expect([...kept, contentOf(page, 'name=robots')]).toEqual([
        'private, no-store',
        'same-origin',
        expect.stringContaining('noindex'),
      ]);
      const rels = page.$$('a[href^=http]').map((link) => link.getAttribute('rel'));
      expect(rels).not.toEqual([]);
      for (const rel of rels) expect(rel).toContain('noreferrer');
    }
  });

  test('previews with title, date and place, and no guest’s name', () => {
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Colombo', day: 'numeric', month: 'long' });
    const about = new RegExp(`${day.format(Date.parse(party.startsAt))}.*Rua da Rosa 5`);
    for (const name of ['a party to a stranger', 'its questions to who has answered', 'a meetup to who accepted']) {
      expect(letter(name).$('head')?.outerHTML).not.toMatch(/Wilhelmina|Ben|Maya|maya\.l/);
      expect(contentOf(letter(name), 'property="og:title"')).toMatch(/^(Midsummer night|Book club)$/);
      expect(contentOf(letter(name), 'property="og:description"')).toMatch(about);
    }
  });

  test('answers for nobody when it is opened, whoever opens it, nor does a call that is only looked at', async () => {
    const own = meetup.invitations.map(({ id, meetupId }) => `/api/meetup/ChangeRsvp?id=${id}&meetupid=${meetupId}`);
    const letterPaths = [partyPath(party), ...meetup.invitations.map(({ id }) => `/meetup-rsvp/${id}`)];
    const paths = [...letterPaths.map((path) => `${path}?`), ...own, `/api/Party/BookRsvp?id=${party.id}`];
    const before = await held(daybook);
    for (const reader of [daybook.visitor(), maya.browser, june.browser, host.browser]) {
      for (const path of paths) {
        for (const asked of ['accepted=true&guests=1&step=questions', 'accepted=false']) {
          expect((await reader.get(`${path}&${asked}`)).status).toBeLessThan(500);
        }
      }
    }
    expect(await held(daybook)).toEqual(before);
  });

  test('says nothing of other guests', async () => {
    const { id } = linkOf(meetup, 'Wilhelmina');
    const pages = ['a party to a stranger', 'a party to a guest', 'its questions', 'a meetup'].map(letter);
    pages.push(await june.browser.get(`${partyPath(party)}?_data=routes%2Fletters%2Fparty`));
    pages.push(await june.browser.get(`/meetup-rsvp/${id}?_data=routes%2Fletters%2Fmeetup`));
    for (const { status, text } of pages) {
      expect([status, /Midsummer night|Book club/.test(text)]).toEqual([200, true]);
      expect(text).not.toMatch(/Maya|maya\.l|ألم شديد|Cem|"invited"/);
    }
  });
});

describe('the reader’s own time', () => {
  const abroad = useServer({ vars: { READER_ZONE: 'America/New_York' } });
  const peopleAbroad = peopleAt(abroad);
  /** What the clocks of some zones show at the start and the end. */
  const clocks = ({ startsAt, endsAt }: Party, ...zones: string[]) =>
    zones.flatMap((timeZone) => {
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
      return [startsAt, endsAt].map((at) => clock.format(Date.parse(at)));
    });
  const timesOf = (page: Page) => page.$$('main time').map(({ text }) => text);

  test('stands beside the host’s where the clocks differ: the account’s, else the edge’s', async () => {
    const ana = await peopleAbroad.newProvider({ timeZone: 'Asia/Colombo' });
    const anywhere = await peopleAbroad.newConsumer({ timeZone: 'Europe/Lisbon' });
    const [party, meetup] = await Promise.all([createParty(ana, { startTime: '02:00' }), createMeetup(ana)]);
    for (const [path, event] of [
      [`/meetup-rsvp/${linkOf(meetup, 'Ada').id}`, meetup],
      [partyPath(party), party],
    ] as const) {
      const stranger = await abroad.visitor().get(path);
      expect(timesOf(stranger)).toEqual(clocks(event, 'Asia/Colombo', 'America/New_York'));
      expect(timesOf(await anywhere.browser.get(path))).toEqual(clocks(event, 'Asia/Colombo', 'Europe/Lisbon'));
      expect(timesOf(await ana.browser.get(path))).toEqual(clocks(event, 'Asia/Colombo'));
    }
  });
});

const open = ({ browser }: { browser: Visitor }, party: { id: string }) => browser.get(partyPath(party));
const stranger = () => ({ browser: daybook.visitor() });

describe('the letter of a party', () => {
  test('drops no answer to questions that the host has changed meanwhile, and asks those of now', async () => {
    const questions = [{ questionText: 'Allergies?', questionType: openEnded }];
    const [before, after] = await Promise.all([publishQuestions(host, questions), publishQuestions(host, questions)]);
    const party = await createParty(host, { template: before });
    const letter = await maya.browser.visit(`${partyPath(party)}?step=questions`);
    const fieldOf = (page: Page) => page.$('textarea')?.getAttribute('name') ?? '';
    await edit(host, party, { template: after });
    const refused = await letter.submit('RSVP', { [fieldOf(letter)]: 'Nuts' });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain('The questions have been changed meanwhile.');
    expect(await answersIn(host, party)).toEqual([]);
    await refused.submit('RSVP', { [fieldOf(refused)]: 'Nuts' });
    expect((await partyOf(host, party)).formData).toEqual([[{ question: 'Allergies?', answer: 'Nuts' }]]);
  });

  test('that is refused says all that is wrong or how much room is left, and keeps what was typed', async () => {
    const template = await publishQuestions(host, [
      { questionText: 'Bringing?', required: true },
      { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'], required: true },
    ]);
    const party = await createParty(host, { capacity: 4, plusOnes: 3, template });
    const letter = await june.browser.visit(`${partyPath(party)}?step=questions`);
    const wrong = await letter.submit('RSVP', { guests: 'two' });
    expect([wrong.status, typedIn(wrong, 'guests')]).toEqual([400, 'two']);
    expect(wrong.words).toMatch(/“Bringing\?” needs an answer\..*“Staying\?” needs an answer\..*from 0 to 3\./s);
    const answers = ['Bringing?', 'Staying?'].map((question) => ({ question, answer: 'Yes' }));
    await rsvp(maya, party, { guests: 2 }, answers);
    const [bringing = '', staying = ''] = ['textarea', 'input[type=radio]'].map(
      (field) => letter.$(field)?.getAttribute('name') ?? '',
    );
    const page = await wrong.submit('RSVP', { [bringing]: 'Two <cakes>', [staying]: 'Yes', guests: '2' });
    expect([page.status, page.words.includes('one place is left')]).toEqual([409, true]);
    const chosen = page.$('input[type=radio][checked]')?.getAttribute('value');
    expect([page.$('textarea')?.text, chosen, typedIn(page, 'guests')]).toEqual(['Two <cakes>', 'Yes', '2']);
    expect((await page.submit('RSVP', { guests: '0' })).words).toContain('You are going to Garden party.');
  });

  test('offers no answer to its host, nor once it takes none any more', async () => {
    const [late, over] = await Promise.all([createParty(host, full), createParty(host)]);
    expect(buttonsOf(await open(host, late))).toEqual([]);
    await closeAnswers(daybook.d1, late);
    await endParty(daybook.d1, over);
    for (const [party, said] of [
      [late, 'Answers were welcome until'] as const,
      [over, 'This party is over.'] as const,
    ]) {
      for (const who of [stranger(), maya]) {
        const page = await open(who, party);
        expect([page.status, buttonsOf(page), page.words]).toEqual([200, [], expect.stringContaining(said)]);
      }
      expect((await maya.browser.post(partyPath(party), { accepted: 'true' })).status).toBe(409);
    }
  });

  test('without a login sends nobody’s answer, but the way to log in, and back', async () => {
    const party = await createParty(host);
    const page = await daybook.visitor().post(partyPath(party), { accepted: 'true' });
    expect([page.status, page.location]).toEqual([303, `/not-logged-in?to=${encodeURIComponent(partyPath(party))}`]);
    expect(await answersIn(host, party)).toEqual([]);
    const back = await (await open(stranger(), party)).submit('Log in', { username: 'maya.l', password });
    expect([back.status, back.path]).toEqual([200, partyPath(party)]);
    expect((await back.submit('RSVP')).words).toContain('You are going to Garden party.');
  });

  test('keeps its questions, and who the host is to the database, from whoever is not logged in', async () => {
    const party = await createParty(host, { template: await publishQuestions(host, intake) });
    const row = daybook.d1.prepare('SELECT provider_id FROM parties WHERE id = ?').bind(party.id);
    const secrets = [party.title, 'Which side hurts?', (await row.first<string>('provider_id')) ?? ''];
    for (const [who, told] of [
      [daybook.visitor(), [true, false, false]],
      [maya.browser, [true, true, false]],
    ] as const) {
      const { text } = await who.get(`${partyPath(party)}?_data=routes%2Fletters%2Fparty`);
      expect(secrets.map((secret) => text.includes(secret))).toEqual(told);
    }
  });
});

test('the letter of a meetup greets by the name on the list, says what is wrong, and can be answered until it is over', async () => {
  const meetup = await createMeetup(host);
  const [ada, ben] = ['Ada', 'Ben'].map((name) => linkPath(linkOf(meetup, name))) as [string, string];
  const { words } = await daybook.visitor().get(ada.replace(/name=.*/, 'name=%3Cb%3EMallory'));
  expect([words.includes('Ada'), words.includes('Mallory')]).toEqual([true, false]);
  const page = await daybook.visitor().post(ada, { accepted: 'perhaps' });
  expect([page.status, page.words.includes('Something went wrong. Please try again.')]).toEqual([400, true]);
  expect((await page.submit('Accept')).status).toBe(200);
  const before = await daybook.visitor().get(ben);
  await endParty(daybook.d1, meetup);
  const over = await daybook.visitor().get(ada);
  expect([buttonsOf(over), over.words.includes('You accepted.')]).toEqual([[], true]);
  expect((await before.submit('Accept')).status).toBe(409);
  expect(Object.fromEntries(await answersIn(host, meetup))).toEqual({ Ada: true, Ben: null });
});
