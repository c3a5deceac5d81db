import { beforeAll, describe, expect, test } from 'vitest';
import { book, dayAhead, type Person, password, peopleAt, publish, type Row } from '../../support/factories';
import { buttonsOf, classesWithoutStyle, linkPath, partyPath } from '../../support/letters';
import { edit } from '../../support/party-calls';
import {
  closeRsvps,
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
  rsvpsIn,
} from '../../support/party-factories';
import { intake, intakeAnswers, openEnded, singleChoice } from '../../support/template-factories';
import { storedRows, useServer, useWorld } from '../../support/use-server';
import { contentOf, type Page, tripsOf, typedIn, type Visitor } from '../../support/visit';
import { weightsOf } from '../../support/weight';

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
  const found = () => Object.entries(letters).filter(([, { status }]) => status === 200);
  const scriptsOf = (page: Page) => page.$$('script');

  test('comes after one trip to the database', () => {
    for (const [name, page] of Object.entries(letters)) expect(tripsOf(page), name).toBe(1);
  });

  test('weighs at most 10 KB in one request, in each language', async () => {
    for (const [name, page] of Object.entries(letters)) {
      for (const { language, requests, bytes } of await weightsOf(page)) {
        expect(requests, name).toBe(1);
        expect(bytes, `${name} in ${language}`).toBeLessThanOrEqual(10_000);
      }
    }
  });

  test('has at most 1 KB of scripts', () => {
    for (const [name, page] of Object.entries(letters)) {
      const bytes = scriptsOf(page).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      expect(bytes, name).toBeLessThanOrEqual(1024);
    }
  });

  test('has no script but those that its policy allows', () => {
    for (const [name, page] of Object.entries(letters)) {
      const [, nonce] = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
      for (const script of scriptsOf(page)) expect(script.getAttribute('nonce'), name).toBe(nonce ?? 'some');
    }
  });

  test('has each of its classes in its styles, which its policy allows', () => {
    for (const [name, page] of Object.entries(letters)) expect(classesWithoutStyle(page), name).toEqual([]);
  });

  test('is for no search engine', () => {
    for (const [name, page] of found()) expect(contentOf(page, 'name=robots'), name).toContain('noindex');
  });

  test('is kept by nobody', () => {
    for (const [name, page] of found()) expect(page.headers.get('cache-control'), name).toBe('private, no-store');
  });

  test('tells no other site where it is', () => {
    for (const [name, page] of found()) {
      expect(page.headers.get('referrer-policy'), name).toBe('same-origin');
      const rels = page.$$('a[href^=http]').map((link) => link.getAttribute('rel'));
      expect(rels, name).not.toEqual([]);
      for (const rel of rels) expect(rel, name).toContain('noreferrer');
    }
  });

  const previewed = ['a party to a stranger', 'its questions to who has answered', 'a meetup to who accepted'];

  test.each(previewed)('previews %s with title, date and place', (name) => {
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Colombo', day: 'numeric', month: 'long' });
    const about = new RegExp(`${day.format(Date.parse(party.startsAt))}.*Rua da Rosa 5`);

    expect(contentOf(letter(name), 'property="og:title"')).toMatch(/^(Midsummer night|Book club)$/);
    expect(contentOf(letter(name), 'property="og:description"')).toMatch(about);
  });

  test.each(previewed)('previews %s without a guest’s name', (name) => {
    expect(letter(name).$('head')?.outerHTML).not.toMatch(/Wilhelmina|Ben|Maya|maya\.l/);
  });

  /** Opens each path as each reader, as if it were to say yes and no. */
  async function openAll(paths: string[]): Promise<void> {
    for (const reader of [daybook.visitor(), maya.browser, june.browser, host.browser]) {
      for (const path of paths) {
        for (const query of ['accepted=true&guests=1&step=questions', 'accepted=false']) {
          expect((await reader.get(`${path}&${query}`)).status).toBeLessThan(500);
        }
      }
    }
  }

  test('answers for nobody when it is opened, whoever opens it', async () => {
    const before = await storedRows(daybook);

    await openAll([partyPath(party), ...meetup.invitations.map(linkPath)].map((path) => `${path.split('?')[0]}?`));

    expect(await storedRows(daybook)).toEqual(before);
  });

  test('is answered by no call that is only looked at', async () => {
    const before = await storedRows(daybook);

    const replies = meetup.invitations.map((one) => `/api/meetup/ChangeRsvp?id=${one.id}&meetupid=${one.meetupId}`);
    await openAll([...replies, `/api/Party/BookRsvp?id=${party.id}`]);

    expect(await storedRows(daybook)).toEqual(before);
  });

  const ofOtherGuests = /Maya|maya\.l|ألم شديد|Cem|"invited"/;

  test.each([
    ['a party to a stranger', /Midsummer night/],
    ['a party to a guest', /Midsummer night/],
    ['its questions', /Midsummer night/],
    ['a meetup', /Book club/],
  ])('says nothing of other guests: %s', (name, title) => {
    expect(letter(name).status).toBe(200);
    expect(letter(name).text).toMatch(title);
    expect(letter(name).text).not.toMatch(ofOtherGuests);
  });

  test('has nothing of other guests in the data behind it', async () => {
    const { id } = linkOf(meetup, 'Wilhelmina');
    for (const [path, title] of [
      [`${partyPath(party)}?_data=routes%2Fletters%2Fparty`, 'Midsummer night'],
      [`/meetup-rsvp/${id}?_data=routes%2Fletters%2Fmeetup`, 'Book club'],
    ] as const) {
      const { status, text } = await june.browser.get(path);
      expect(status).toBe(200);
      expect(text).toContain(title);
      expect(text).not.toMatch(ofOtherGuests);
    }
  });
});

test('each page of a provider has its classes in its styles, which its policy allows', async () => {
  const [taken, free] = (await publish(host, { dates: [dayAhead(2)], end: '10:00' })) as [Row, Row];
  await book(maya, taken);

  for (const [place, status] of [
    [`/${taken.id}`, 409],
    ['', 200],
    [`/${free.id}`, 200],
  ] as const) {
    const page = await daybook.visitor().get(`/with/${host.username}${place}`);
    expect(page.status, place).toBe(status);
    expect(classesWithoutStyle(page), place).toEqual([]);
  }
});

describe('the times on a letter', () => {
  const abroad = useServer({ vars: { READER_ZONE: 'America/New_York' } });
  const peopleAbroad = peopleAt(abroad);
  let events: { path: string; event: Party }[];
  let ana: Person;

  beforeAll(async () => {
    ana = await peopleAbroad.newProvider({ timeZone: 'Asia/Colombo' });
    const [party, meetup] = await Promise.all([createParty(ana, { startTime: '02:00' }), createMeetup(ana)]);
    events = [
      { path: partyPath(party), event: party },
      { path: `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`, event: meetup },
    ];
  });

  /** What the clocks of some zones show at the start and the end. */
  const clocks = ({ startsAt, endsAt }: Party, ...zones: string[]) =>
    zones.flatMap((timeZone) => {
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
      return [startsAt, endsAt].map((at) => clock.format(Date.parse(at)));
    });
  const timesOf = (page: Page) => page.$$('main time').map(({ text }) => text);

  test('are the host’s, with a stranger’s as the edge knows them', async () => {
    for (const { path, event } of events) {
      const page = await abroad.visitor().get(path);
      expect(timesOf(page)).toEqual(clocks(event, 'Asia/Colombo', 'America/New_York'));
    }
  });

  test('are the host’s, with those of the reader’s account', async () => {
    const reader = await peopleAbroad.newConsumer({ timeZone: 'Europe/Lisbon' });

    for (const { path, event } of events) {
      const page = await reader.browser.get(path);
      expect(timesOf(page)).toEqual(clocks(event, 'Asia/Colombo', 'Europe/Lisbon'));
    }
  });

  test('are there once where the reader’s clock shows the same', async () => {
    for (const { path, event } of events) {
      expect(timesOf(await ana.browser.get(path))).toEqual(clocks(event, 'Asia/Colombo'));
    }
  });
});

const openLetter = ({ browser }: { browser: Visitor }, party: { id: string }) => browser.get(partyPath(party));
const newStranger = () => ({ browser: daybook.visitor() });

describe('the letter of a party whose questions are changed while it is open', () => {
  const fieldOf = (page: Page) => page.$('textarea')?.getAttribute('name') ?? '';
  /** A letter with an answer to the questions before, as it is refused. */
  async function refusedLetter() {
    const questions = [{ questionText: 'Allergies?', questionType: openEnded }];
    const [before, after] = await Promise.all([publishQuestions(host, questions), publishQuestions(host, questions)]);
    const party = await createParty(host, { template: before });
    const letter = await maya.browser.visit(`${partyPath(party)}?step=questions`);
    await edit(host, party, { template: after });
    return { party, refused: await letter.submit('RSVP', { [fieldOf(letter)]: 'Nuts' }) };
  }

  test('drops no RSVP without a word', async () => {
    const { party, refused } = await refusedLetter();

    expect(refused.status).toBe(400);
    expect(refused.words).toContain('The questions have been changed meanwhile.');
    expect(await rsvpsIn(host, party)).toEqual([]);
  });

  test('asks those of now', async () => {
    const { party, refused } = await refusedLetter();

    await refused.submit('RSVP', { [fieldOf(refused)]: 'Nuts' });

    expect((await partyOf(host, party)).formData).toEqual([[{ question: 'Allergies?', answer: 'Nuts' }]]);
  });
});

describe('the letter of a party that is refused', () => {
  /** A party for four with two questions, and its letter after an RSVP with three faults. */
  async function faultyLetter() {
    const template = await publishQuestions(host, [
      { questionText: 'Bringing?', required: true },
      { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'], required: true },
    ]);
    const party = await createParty(host, { capacity: 4, plusOnes: 3, template });
    const letter = await june.browser.visit(`${partyPath(party)}?step=questions`);
    const page = await letter.submit('RSVP', { guests: 'two' });
    const nameOf = (field: string) => page.$(field)?.getAttribute('name') ?? '';
    return { party, page, bringing: nameOf('textarea'), staying: nameOf('input[type=radio]') };
  }

  /** That letter, filled in for two more people where one place is left. */
  async function letterWithoutRoom() {
    const { party, page, bringing, staying } = await faultyLetter();
    const answers = ['Bringing?', 'Staying?'].map((question) => ({ question, answer: 'Yes' }));
    await rsvp(maya, party, { guests: 2 }, answers);
    return page.submit('RSVP', { [bringing]: 'Two <cakes>', [staying]: 'Yes', guests: '2' });
  }

  test('says all that is wrong', async () => {
    const { page } = await faultyLetter();

    expect(page.status).toBe(400);
    expect(page.words).toMatch(/“Bringing\?” needs an answer\..*“Staying\?” needs an answer\..*from 0 to 3\./s);
  });

  test('keeps a number that is wrong', async () => {
    expect(typedIn((await faultyLetter()).page, 'guests')).toBe('two');
  });

  test('says how much room is left', async () => {
    const page = await letterWithoutRoom();

    expect(page.status).toBe(409);
    expect(page.words).toContain('one place is left');
  });

  test('keeps what was typed', async () => {
    const page = await letterWithoutRoom();

    expect(page.$('textarea')?.text).toBe('Two <cakes>');
    expect(page.$('input[type=radio][checked]')?.getAttribute('value')).toBe('Yes');
    expect(typedIn(page, 'guests')).toBe('2');
  });

  test('can be sent again, mended', async () => {
    const page = await letterWithoutRoom();

    expect((await page.submit('RSVP', { guests: '0' })).words).toContain('You are going to Garden party.');
  });
});

describe('the letter of a party', () => {
  test('offers no RSVP to its host', async () => {
    expect(buttonsOf(await openLetter(host, await createParty(host, full)))).toEqual([]);
  });

  test.each<[string, end: (party: Party) => Promise<void>, said: string]>([
    ['after the last day for RSVPs', (party) => closeRsvps(daybook.d1, party), 'Answers were welcome until'],
    ['once it is over', (party) => endParty(daybook.d1, party), 'This party is over.'],
  ])('takes no RSVP %s', async (_, end, said) => {
    const party = await createParty(host, full);
    await end(party);

    for (const reader of [newStranger(), maya]) {
      const page = await openLetter(reader, party);
      expect(page.status).toBe(200);
      expect(buttonsOf(page)).toEqual([]);
      expect(page.words).toContain(said);
    }
    expect((await maya.browser.post(partyPath(party), { accepted: 'true' })).status).toBe(409);
  });

  test('sends whoever is not logged in to the login, and nobody’s RSVP', async () => {
    const party = await createParty(host);

    const page = await daybook.visitor().post(partyPath(party), { accepted: 'true' });

    expect(page.status).toBe(303);
    expect(page.location).toBe(`/not-logged-in?to=${encodeURIComponent(partyPath(party))}`);
    expect(await rsvpsIn(host, party)).toEqual([]);
  });

  test('is there again after the login', async () => {
    const party = await createParty(host);

    const login = await openLetter(newStranger(), party);
    const back = await login.submit('Log in', { username: 'maya.l', password });

    expect(back.status).toBe(200);
    expect(back.path).toBe(partyPath(party));
    expect((await back.submit('RSVP')).words).toContain('You are going to Garden party.');
  });

  const dataFor = async (reader: Visitor, party: Party) =>
    (await reader.get(`${partyPath(party)}?_data=routes%2Fletters%2Fparty`)).text;

  test('keeps its questions from whoever is not logged in', async () => {
    const party = await createParty(host, { template: await publishQuestions(host, intake) });

    const strangers = await dataFor(daybook.visitor(), party);
    expect(strangers).toContain(party.title);
    expect(strangers).not.toContain('Which side hurts?');
    expect(await dataFor(maya.browser, party)).toContain('Which side hurts?');
  });

  test('keeps from its readers who the host is to the database', async () => {
    const party = await createParty(host);
    const row = daybook.d1.prepare('SELECT provider_id FROM parties WHERE id = ?').bind(party.id);
    const hostId = (await row.first<string>('provider_id')) ?? '';

    for (const reader of [daybook.visitor(), maya.browser]) {
      const data = await dataFor(reader, party);
      expect(data).toContain(party.title);
      expect(data).not.toContain(hostId);
    }
  });
});

describe('the letter of a meetup', () => {
  test('greets by the name on the list, not by that in its address', async () => {
    const path = linkPath(linkOf(await createMeetup(host), 'Ada'));

    const { words } = await daybook.visitor().get(path.replace(/name=.*/, 'name=%3Cb%3EMallory'));

    expect(words).toContain('Ada');
    expect(words).not.toContain('Mallory');
  });

  test('says that something is wrong, and can be sent again', async () => {
    const page = await daybook
      .visitor()
      .post(linkPath(linkOf(await createMeetup(host), 'Ada')), { accepted: 'perhaps' });

    expect(page.status).toBe(400);
    expect(page.words).toContain('Something went wrong. Please try again.');
    expect((await page.submit('Accept')).status).toBe(200);
  });

  test('shows the RSVP once it is over, and offers no other', async () => {
    const meetup = await createMeetup(host);
    const path = linkPath(linkOf(meetup, 'Ada'));
    await (await daybook.visitor().get(path)).submit('Accept');

    await endParty(daybook.d1, meetup);

    const page = await daybook.visitor().get(path);
    expect(buttonsOf(page)).toEqual([]);
    expect(page.words).toContain('You accepted.');
  });

  test('takes no RSVP once it is over', async () => {
    const meetup = await createMeetup(host);
    const page = await daybook.visitor().get(linkPath(linkOf(meetup, 'Ben')));

    await endParty(daybook.d1, meetup);

    expect((await page.submit('Accept')).status).toBe(409);
    expect(Object.fromEntries(await rsvpsIn(host, meetup))).toEqual({ Ada: null, Ben: null });
  });
});

test('a party that anyone may answer has the RSVP of guests as its one main button', async () => {
  const party = await createParty(host, { openTo: 'anyone' });

  const page = await daybook.visitor().get(partyPath(party));

  expect(page.$$('main button.bg-accent').map(({ text }) => text)).toEqual(['RSVP']);
});
