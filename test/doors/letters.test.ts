import { gzipSync } from 'node:zlib';
import ICAL from 'ical.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { tripsOf } from '../support/asked';
import { dump } from '../support/database';
import { type Person, registerConsumer, registerProvider } from '../support/factories';
import {
  closeAnswers,
  createMeetup,
  createParty,
  endParty,
  full,
  type Invitation,
  linkOf,
  type Party,
  partyOf,
  publishQuestions,
  reply,
  rsvp,
} from '../support/party-factories';
import { intake, intakeAnswers, openEnded } from '../support/template-factories';
import { useServer } from '../support/use-server';
import type { Page, Visitor } from '../support/visit';

const daybook = useServer({ vars: { TIMING: 'on' } });

let host: Person;
let rival: Person;
let maya: Person;
let june: Person;
beforeAll(async () => {
  [host, rival, maya, june] = await Promise.all([
    registerProvider(daybook, { displayName: 'Hanna Host', timeZone: 'Asia/Colombo' }),
    registerProvider(daybook),
    registerConsumer(daybook, { username: 'maya.l', displayName: 'Maya Lindqvist' }),
    registerConsumer(daybook),
  ]);
});

const partyPath = ({ id }: { id: string }) => `/party/${id}`;
const linkPath = ({ id, username }: Invitation) => `/meetup-rsvp/${id}?name=${encodeURIComponent(username)}`;

/** A page in bytes as it travels at its best, with all that it loads; the icon is not counted. */
async function weightOf(page: Page): Promise<{ requests: number; bytes: number }> {
  const loaded = page
    .$$('link[href], script[src], img[src], iframe[src], source[src], object[data], embed[src]')
    .filter((element) => !['icon', 'canonical'].includes(element.getAttribute('rel') ?? ''))
    .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '');
  const parts = await Promise.all(loaded.map((path) => daybook.visitor().get(path)));
  for (const part of parts) {
    expect(part.status).toBe(200);
    expect(part.text).not.toMatch(/@import|url\((?!['"]?data:)/);
  }
  const bytes = [page, ...parts].map(({ text }) => gzipSync(text, { level: 9 }).length);
  return { requests: bytes.length, bytes: bytes.reduce((sum, part) => sum + part, 0) };
}

const contentOf = (page: Page, meta: string) => page.$(`meta[${meta}]`)?.getAttribute('content') ?? '';
const buttonsOf = (page: Page) =>
  page.$$('main button').map((button) => [button.text, button.hasAttribute('disabled') ? 'disabled' : 'enabled']);

describe('every letter', () => {
  let party: Party;
  let plain: Party;
  let meetup: Party;
  let letters: [string, () => Promise<Page>, number][] = [];
  const letter = (name: string) => letters.find(([called]) => called === name)?.[1] ?? (() => Promise.reject(name));

  beforeAll(async () => {
    const template = await publishQuestions(host, intake);
    [party, plain, meetup] = await Promise.all([
      createParty(host, { ...full, title: 'Midsummer night', template }),
      createParty(host, { title: 'Plain party' }),
      createMeetup(host, { ...full, title: 'Book club', attendees: ['Wilhelmina', 'Ben', 'Cem'] }),
    ]);
    await rsvp(maya, party, { guests: 2 }, intakeAnswers);
    await rsvp(maya, plain, { accepted: false });
    await reply(daybook.visitor(), linkOf(meetup, 'Ben'));
    const over = await createParty(host, { title: 'Over' });
    await endParty(daybook.d1, over);
    const open = (who: Visitor, path: string) => () => who.get(path);
    const stranger = daybook.visitor();
    letters = [
      ['a party to a stranger', open(stranger, partyPath(party)), 200],
      ['a party to a guest', open(june.browser, partyPath(party)), 200],
      ['its questions', open(june.browser, `${partyPath(party)}?step=questions`), 200],
      ['its questions to who has answered', open(maya.browser, `${partyPath(party)}?step=questions`), 200],
      ['its questions unanswered', async () => june.browser.post(partyPath(party), { accepted: 'true' }), 400],
      ['a party to who said yes', open(maya.browser, partyPath(party)), 200],
      ['a party to who said no', open(maya.browser, partyPath(plain)), 200],
      ['a party to its host', open(host.browser, partyPath(party)), 200],
      ['a party that is over', open(stranger, partyPath(over)), 200],
      ['a party that is not there', open(stranger, '/party/AAAAAAAAAAAAAAAAAAAAAA'), 404],
      ['a meetup', open(stranger, linkPath(linkOf(meetup, 'Wilhelmina'))), 200],
      ['a meetup to who accepted', open(stranger, linkPath(linkOf(meetup, 'Ben'))), 200],
      ['a meetup to who is logged in', open(june.browser, linkPath(linkOf(meetup, 'Cem'))), 200],
      ['a meetup with a wrong link', open(stranger, '/meetup-rsvp/nonsense'), 400],
      ['a meetup with a dead link', open(stranger, '/meetup-rsvp/AAAAAAAAAAAAAAAAAAAAAA'), 404],
    ];
  });

  /** Asks something of each of them. */
  async function each(ask: (page: Page) => unknown, among: (status: number) => boolean = () => true) {
    const found: [string, unknown][] = [];
    for (const [name, open, status] of letters.filter(([, , status]) => among(status))) {
      const page = await open();
      expect([name, page.status]).toEqual([name, status]);
      found.push([name, await ask(page)]);
    }
    expect(found.length).toBeGreaterThan(5);
    return found;
  }
  const all = (answer: unknown, found: [string, unknown][]) =>
    expect(found).toEqual(found.map(([name]) => [name, answer]));

  test('ships no script file', async () => {
    all([], await each((page) => page.$$('script[src], link[rel=modulepreload]').map(({ outerHTML }) => outerHTML)));
  });

  test('has at most 1 KB of script in it, with the nonce of its policy, and no other code or style', async () => {
    const found = await each((page) => {
      const scripts = page.$$('script');
      const [, nonce] = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
      expect(nonce).toBeTruthy();
      for (const script of scripts) expect(script.getAttribute('nonce')).toBe(nonce);
      expect(page.$$('style, [style]')).toEqual([]);
      for (const element of page.$$('*')) {
        expect(Object.keys(element.attributes).filter((name) => /^on/i.test(name))).toEqual([]);
      }
      return scripts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) <= 1024;
    });
    all(true, found);
  });

  test('weighs at most 10 KB in at most 2 requests', async () => {
    const found = await each((page) => weightOf(page));
    for (const [name, weight] of found) {
      const { requests, bytes } = weight as Awaited<ReturnType<typeof weightOf>>;
      expect([name, requests, bytes <= 10_000 ? 'light' : bytes]).toEqual([name, 2, 'light']);
    }
  });

  test('takes one trip to the database, and none where its link can lead nowhere', async () => {
    const found = await each(tripsOf, (status) => status !== 400);
    all(1, found);
    expect(tripsOf(await letter('a meetup with a wrong link')())).toBe(0);
  });

  test('is for no search engine, is kept by nobody, and tells no other site where it is', async () => {
    const found = await each(
      (page) => [
        contentOf(page, 'name=robots').includes('noindex'),
        page.headers.get('cache-control'),
        page.headers.get('referrer-policy'),
      ],
      (status) => status === 200,
    );
    all([true, 'private, no-store', 'same-origin'], found);
  });

  test('previews with title, date and place, and no guest’s name', async () => {
    const shown = async (name: string) => {
      const page = await letter(name)();
      const head = page.$('head')?.outerHTML ?? '';
      for (const secret of ['Wilhelmina', 'Ben', 'Maya', 'maya.l', june.displayName, june.username]) {
        expect(head).not.toContain(secret);
      }
      return { title: contentOf(page, 'property="og:title"'), about: contentOf(page, 'property="og:description"') };
    };
    const { startsAt } = party;
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Colombo', day: 'numeric', month: 'long' });
    const about = expect.stringMatching(new RegExp(`${day.format(Date.parse(startsAt))}.*Rua da Rosa 5`));
    const parties = ['a party to a stranger', 'a party to who said yes', 'its questions to who has answered'];
    for (const name of parties) expect(await shown(name)).toEqual({ title: 'Midsummer night', about });
    for (const name of ['a meetup', 'a meetup to who accepted']) {
      expect(await shown(name)).toEqual({ title: 'Book club', about });
    }
  });

  test('leads to the map without a referrer', async () => {
    const found = await each(
      (page) =>
        page
          .$$('a[href^=http]')
          .map((link) => [new URL(link.getAttribute('href') ?? '').origin, link.getAttribute('rel')?.split(' ')]),
      (status) => status === 200,
    );
    const links = found.flatMap(([, outside]) => outside as [string, string[]][]);
    expect(links.length).toBeGreaterThan(5);
    for (const [origin, rel] of links) {
      expect(origin).not.toBe(daybook.url);
      expect(rel).toContain('noreferrer');
    }
  });

  test('has no button that does nothing', async () => {
    const found = await each(
      (page) =>
        page.$$('button').filter((button) => {
          const target = button.getAttribute('popovertarget');
          return target === undefined ? button.closest('form') === null : page.$(`#${target}`) === null;
        }).length,
    );
    all(0, found);
  });

  test('sends its main answer where Enter is pressed', async () => {
    for (const [name, words] of [
      ['a party to a stranger', 'Log in'],
      ['its questions', 'RSVP'],
      ['its questions unanswered', 'RSVP'],
      ['a meetup', 'Accept'],
    ] as const) {
      const page = await letter(name)();
      const [first] = page.$$('main form:first-of-type button:not([disabled])');
      expect([name, first?.text]).toEqual([name, words]);
    }
  });

  test('answers for nobody when it is opened, nor does anything it leads to, whoever opens it', async () => {
    const readers: [string, Visitor][] = [
      ['a mail scanner', daybook.visitor()],
      ['a guest', maya.browser],
      ['somebody who has not answered', june.browser],
      ['the host', host.browser],
      ['another provider', rival.browser],
    ];
    const queries = [
      'accepted=true',
      'accepted=false',
      'accepted=true&guests=2&step=questions',
      'rsvp=true',
      'answer=1',
    ];
    const paths = [partyPath(party), partyPath(plain), ...meetup.invitations.map((one) => linkPath(one))].flatMap(
      (path) => [path, ...queries.map((query) => `${path}${path.includes('?') ? '&' : '?'}${query}`)],
    );
    const calls = meetup.invitations.map(
      ({ id, meetupId }) => `/api/meetup/ChangeRsvp?id=${id}&meetupid=${meetupId}&accepted=true&name=Ben`,
    );
    calls.push(`/api/Party/BookRsvp?id=${plain.id}&accepted=true`);
    const before = await dump(daybook.d1);
    expect(before).toMatchObject({ invitations: expect.any(Array), sessions: expect.any(Array) });
    for (const [who, reader] of readers) {
      const opened = new Set<string>();
      const waiting = [...paths, ...calls];
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        if (opened.has(path)) continue;
        opened.add(path);
        const page = await reader.get(path);
        expect([who, path, page.status < 500]).toEqual([who, path, true]);
        const links = page.$$('a[href]').map((link) => new URL(link.getAttribute('href') ?? '', page.url));
        waiting.push(
          ...links.filter(({ origin }) => origin === daybook.url).map(({ pathname, search }) => pathname + search),
        );
      }
      expect([...opened]).toContain(`${partyPath(party)}`);
      expect(opened.size).toBeGreaterThan(paths.length + calls.length + 3);
    }
    expect(await dump(daybook.d1)).toEqual(before);
    expect((await maya.browser.get('/profile')).status).toBe(200);
  });

  test('shows what was written as it was written', async () => {
    const evil = '<script>alert(1)</script>"\'&amp;';
    const [dangerous, named] = await Promise.all([
      createParty(host, { title: evil, description: evil, address: evil }),
      createMeetup(host, { title: evil, description: evil, address: evil, attendees: [evil] }),
    ]);
    for (const path of [partyPath(dangerous), `/meetup-rsvp/${linkOf(named, evil).id}`]) {
      const page = await maya.browser.get(path);
      expect(page.$$('script')).toHaveLength(1);
      expect(page.$('main h2')?.text).toBe(evil);
      expect(page.words.split(evil).length).toBeGreaterThan(3);
      expect(contentOf(page, 'property="og:title"')).toBe(evil);
    }
  });

  test('says nothing of other guests', async () => {
    for (const name of ['a party to a stranger', 'a party to a guest', 'its questions', 'a meetup']) {
      const { text } = await letter(name)();
      expect(text).not.toMatch(/Maya|maya\.l|ألم شديد|Cem/);
    }
    for (const [path, route] of [
      [partyPath(party), 'party'],
      [`/meetup-rsvp/${linkOf(meetup, 'Wilhelmina').id}`, 'meetup'],
    ]) {
      const { status, text } = await june.browser.get(`${path}?_data=routes%2Fletters%2F${route}`);
      expect([status, text.includes('"title"'), /Maya|maya\.l|ألم شديد|Cem|"invited"/.test(text)]).toEqual([
        200,
        true,
        false,
      ]);
    }
  });
});

describe('the letter of a party', () => {
  test('says who invites, to what, when and where, and how many are coming unless that is hidden', async () => {
    const party = await createParty(host, { ...full, startTime: '19:30', endTime: '01:15' });
    await rsvp(maya, party, { guests: 1 });
    const read = async () => (await june.browser.get(partyPath(party))).words;
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
    const iso = `${party.date.slice(6)}-${party.date.slice(0, 5)}`;
    for (const words of [
      'Hanna Host',
      'Garden party',
      day.format(Date.parse(iso)),
      '19:30',
      '01:15',
      'Rua da Rosa 5',
    ]) {
      expect(await read()).toContain(words);
    }
    expect(await read()).toContain('2 people');
    await host.api('PUT', `/api/Party/EditParty/${party.id}`, { hideGoing: true });
    expect(await read()).not.toContain('2 people');
    expect(await read()).not.toMatch(/places? (is|are) left/);
  });

  test('shows who has answered their own answer, and lets them change it or say no', async () => {
    const template = await publishQuestions(host, [
      { questionText: 'Bringing?', questionType: openEnded, required: true },
    ]);
    const party = await createParty(host, { template, plusOnes: 2 });
    const guest = await registerConsumer(daybook);
    const blank = await guest.browser.get(partyPath(party));
    const asked = await blank.click('RSVP');
    const field = asked.$('textarea')?.getAttribute('name') ?? '';
    expect(asked.$('textarea')?.text).toBe('');
    await asked.submit('RSVP', { [field]: 'Cake', guests: '2' });
    const said = await guest.browser.get(partyPath(party));
    expect(said.words).toContain('You are going, and bring 2 more.');
    expect(said.$$('main a').map(({ text }) => text)).toContain('Add to calendar');

    const again = await said.click('Change my answer');
    expect(again.$('textarea')?.text).toBe('Cake');
    expect(again.$('input[name=guests]')?.getAttribute('value')).toBe('2');
    const home = await again.submit('Save my answer', { [field]: 'Wine', guests: '0' });
    expect([home.status, new URL(home.url).pathname]).toEqual([200, '/']);
    expect(home.words).toContain('You are going to Garden party.');
    expect((await partyOf(host, party)).formData).toEqual([[{ question: 'Bringing?', answer: 'Wine' }]]);

    await (await guest.browser.get(partyPath(party))).submit("I can't come");
    expect((await partyOf(host, party)).invitations.map(({ accepted }) => accepted)).toEqual([false]);
    const no = await guest.browser.get(partyPath(party));
    expect(no.words).toContain('You said no.');
    expect(no.$$('main a').map(({ text }) => text)).not.toContain('Add to calendar');
  });

  test('offers no answer to its host, nor once answers are not taken any more', async () => {
    const [late, over] = await Promise.all([createParty(host), createParty(host)]);
    await closeAnswers(daybook.d1, late);
    await endParty(daybook.d1, over);
    expect(buttonsOf(await host.browser.get(partyPath(await createParty(host))))).toEqual([]);
    for (const who of [daybook.visitor(), maya.browser]) {
      const [closed, gone] = [await who.get(partyPath(late)), await who.get(partyPath(over))];
      expect([closed.status, buttonsOf(closed), closed.words.includes('Answers were welcome until')]).toEqual([
        200,
        [],
        true,
      ]);
      expect([gone.status, buttonsOf(gone), gone.words.includes('This party is over.')]).toEqual([200, [], true]);
    }
    // A letter that was open meanwhile.
    expect((await maya.browser.post(partyPath(late), { accepted: 'true' })).status).toBe(409);
    expect((await maya.browser.post(partyPath(over), { accepted: 'true' })).words).toContain('This party is over.');
  });

  test('without a login sends nobody’s answer, but the way to log in and back', async () => {
    const party = await createParty(host);
    const page = await daybook.visitor().post(partyPath(party), { accepted: 'true' });
    expect([page.status, page.location]).toEqual([303, `/not-logged-in?to=${encodeURIComponent(partyPath(party))}`]);
    expect((await partyOf(host, party)).invitations).toEqual([]);
    const letter = await daybook.visitor().get(partyPath(party));
    expect(letter.words).toContain('Garden party');
    expect(letter.$('input[name=password]')).not.toBeNull();
    const registration = await letter.click('Register');
    const typed = { displayName: 'New Guest', username: 'new.guest', password: 'Correct1horse' };
    const back = await registration.submit('Register', typed);
    expect([back.status, back.path]).toEqual([200, partyPath(party)]);
    expect((await back.submit('RSVP')).words).toContain('You are going to Garden party.');
  });

  test('keeps its questions, and who the host is to the database, from whoever is not logged in', async () => {
    const templateId = await publishQuestions(host, intake);
    const party = await createParty(host, { template: templateId });
    const dataOf = async (who: Visitor) => (await who.get(`${partyPath(party)}?_data=routes%2Fletters%2Fparty`)).text;
    const hostId = await daybook.d1
      .prepare('SELECT provider_id FROM parties WHERE id = ?')
      .bind(party.id)
      .first('provider_id');
    const [stranger, guest] = [await dataOf(daybook.visitor()), await dataOf(maya.browser)];
    expect([stranger, guest].map((text) => text.includes(party.title))).toEqual([true, true]);
    expect([stranger, guest].map((text) => text.includes('Which side hurts?'))).toEqual([false, true]);
    expect([stranger, guest].map((text) => text.includes(String(hostId)))).toEqual([false, false]);
  });

  test('is a 404 in the shell where there is none, or a meetup', async () => {
    const meetup = await createMeetup(host);
    for (const id of [meetup.id, linkOf(meetup, 'Ada').id, 'x', 'AAAAAAAAAAAAAAAAAAAAAA']) {
      for (const who of [daybook.visitor(), maya.browser, host.browser]) {
        const page = await who.get(`/party/${id}`);
        expect([page.status, page.$('h1') !== null]).toEqual([404, true]);
        expect((await who.get(`/party/${id}/daybook.ics`)).status).toBe(404);
      }
    }
  });
});

describe('the letter of a meetup', () => {
  const open = (invitation: Invitation) => daybook.visitor().get(linkPath(invitation));

  test('greets by the name on the list, not by the one in the link', async () => {
    const ada = linkOf(await createMeetup(host, { ...full, title: 'Book club' }), 'Ada');
    for (const query of ['', '?name=Ada', '?name=Mallory', '?name=%3Cb%3EMallory']) {
      const page = await daybook.visitor().get(`/meetup-rsvp/${ada.id}${query}`);
      expect(page.$('h1')?.getAttribute('aria-label') ?? page.$('h1')?.text).toMatch(/^You[’']re Invited!$/);
      expect(page.words).toContain('Ada');
      expect(page.words).not.toContain('Mallory');
      for (const words of ['Hanna Host', 'Book club', '18:00', '22:00', 'Rua da Rosa 5']) {
        expect(page.words).toContain(words);
      }
    }
  });

  test('takes an answer in two taps; what is already so cannot be pressed', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    let page = await open(ada);
    expect(page.words).toMatch(/not (yet )?responded/i);
    expect(buttonsOf(page)).toEqual([
      ['Accept', 'enabled'],
      ['Decline', 'enabled'],
    ]);
    page = await page.submit('Accept');
    expect([page.status, page.words.includes('You accepted.')]).toEqual([200, true]);
    expect(buttonsOf(page)).toEqual([
      ['Accept', 'disabled'],
      ['Decline', 'enabled'],
    ]);
    expect(page.$$('main a').map(({ text }) => text)).toContain('Add to calendar');
    page = await page.submit('Decline');
    expect([page.status, page.words.includes('You declined.')]).toEqual([200, true]);
    expect(buttonsOf(page)).toEqual([
      ['Accept', 'enabled'],
      ['Decline', 'disabled'],
    ]);
    expect(page.$$('main a').map(({ text }) => text)).not.toContain('Add to calendar');
    expect((await open(ada)).words).toContain('You declined.');
    expect(linkOf(await partyOf(host, meetup), 'Ada').accepted).toBe(false);
    expect(linkOf(await partyOf(host, meetup), 'Ben').accepted).toBeNull();
  });

  test.each([
    'nonsense',
    'x',
    'AAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAA%20',
    '%3Cb%3E',
  ])('with the link %s is a 400 that says so, opened or answered', async (id) => {
    const visitor = daybook.visitor();
    for (const page of [
      await visitor.get(`/meetup-rsvp/${id}`),
      await visitor.post(`/meetup-rsvp/${id}`, { accepted: 'true' }),
    ]) {
      expect([page.status, page.words.includes('Invalid link – please check your invitation URL.')]).toEqual([
        400,
        true,
      ]);
    }
  });

  test('with a link that is not there, or is a party’s or a guest’s, is a 404 that says so, opened or answered', async () => {
    const party = await createParty(host);
    const guest = (await rsvp(maya, party)).json as Invitation;
    const before = await partyOf(host, party);
    for (const id of ['AAAAAAAAAAAAAAAAAAAAAA', party.id, guest.id]) {
      for (const visitor of [daybook.visitor(), maya.browser, host.browser]) {
        for (const page of [
          await visitor.get(`/meetup-rsvp/${id}`),
          await visitor.post(`/meetup-rsvp/${id}`, { accepted: 'false' }),
        ]) {
          expect([page.status, page.words.includes("Sorry, we couldn't find your invitation.")]).toEqual([404, true]);
        }
        expect((await visitor.get(`/meetup-rsvp/${id}/daybook.ics`)).status).toBe(404);
      }
    }
    expect(await partyOf(host, party)).toEqual(before);
  });

  test.each([{}, { accepted: '' }, { accepted: 'perhaps' }])(
    'with %j for an answer is a 400 that says so',
    async (body) => {
      const meetup = await createMeetup(host);
      const page = await daybook.visitor().post(linkPath(linkOf(meetup, 'Ada')), body as Record<string, string>);
      expect([page.status, page.words.includes('Something went wrong. Please try again.')]).toEqual([400, true]);
      expect(page.words).toContain('Book club');
      expect(await (await page.submit('Accept')).status).toBe(200);
    },
  );

  test('takes no answer when it is over', async () => {
    const meetup = await createMeetup(host);
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    await reply(daybook.visitor(), ada);
    const before = await open(ben);
    await endParty(daybook.d1, meetup);
    expect(buttonsOf(await open(ada))).toEqual([]);
    expect((await open(ada)).words).toContain('You accepted.');
    const late = await before.submit('Accept');
    expect(late.status).toBe(409);
    expect(linkOf(await partyOf(host, meetup), 'Ben').accepted).toBeNull();
  });

  test('is dead once the link is replaced, or the name removed', async () => {
    const meetup = await createMeetup(host);
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    const fresh = (await host.api('PUT', `/api/meetup/ReplaceLink?id=${ada.id}`)).json as Invitation;
    await host.api('DELETE', `/api/meetup/RemoveAttendee?id=${ben.id}`);
    for (const dead of [ada, ben]) expect((await open(dead)).status).toBe(404);
    expect((await open(fresh)).status).toBe(200);
  });
});

describe('the reader’s own time', () => {
  const abroad = useServer({ vars: { READER_ZONE: 'America/New_York' } });
  /** What the clocks of a zone show. */
  const clock = (at: string, timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(Date.parse(at));
  const timesOf = (page: Page) => page.$$('main time').map(({ text }) => text);
  const both = ({ startsAt, endsAt }: Party, ...zones: string[]) =>
    zones.flatMap((zone) => [clock(startsAt, zone), clock(endsAt, zone)]);

  test('stands beside the host’s where the clocks differ: the account’s, else the edge’s', async () => {
    const [ana, anywhere] = await Promise.all([
      registerProvider(abroad, { timeZone: 'Asia/Colombo' }),
      registerConsumer(abroad, { timeZone: 'Europe/Lisbon' }),
    ]);
    const [party, meetup] = await Promise.all([createParty(ana), createMeetup(ana)]);
    const { id } = linkOf(meetup, 'Ada');
    for (const [path, event] of [
      [partyPath(party), party],
      [`/meetup-rsvp/${id}`, meetup],
    ] as const) {
      expect(timesOf(await abroad.visitor().get(path))).toEqual(both(event, 'Asia/Colombo', 'America/New_York'));
      expect(timesOf(await anywhere.browser.get(path))).toEqual(both(event, 'Asia/Colombo', 'Europe/Lisbon'));
      expect(timesOf(await ana.browser.get(path))).toEqual(both(event, 'Asia/Colombo'));
      expect((await abroad.visitor().get(path)).words).toContain('Colombo time');
    }
  });

  test('says the day too, where that is another', async () => {
    const ana = await registerProvider(abroad, { timeZone: 'Asia/Colombo' });
    const party = await createParty(ana, { startTime: '02:00', endTime: '04:00' });
    const day = (timeZone: string) =>
      new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' })
        .format(Date.parse(party.startsAt))
        .replace('Sept', 'Sep');
    const page = await abroad.visitor().get(partyPath(party));
    expect(day('America/New_York')).not.toBe(day('Asia/Colombo'));
    expect(page.words).toContain(`${day('America/New_York')}, for you`);
  });

  test('is there too where only the end differs, in the night in which the clocks change', async () => {
    const nextYear = new Date().getUTCFullYear() + 1;
    const lastOfMarch = new Date(Date.UTC(nextYear, 2, 31));
    const saturday = 31 - lastOfMarch.getUTCDay() - 1;
    const [ana, reader] = await Promise.all([
      registerProvider(daybook, { timeZone: 'Europe/Lisbon' }),
      registerConsumer(daybook, { timeZone: 'Atlantic/Reykjavik' }),
    ]);
    const night = { date: `03-${saturday}-${nextYear}`, startTime: '23:00', endTime: '06:00' };
    const page = await reader.browser.get(partyPath(await createParty(ana, night)));
    expect(timesOf(page)).toEqual(['23:00', '06:00', '23:00', '05:00']);
  });

  test('is left out where the clocks are the same, or where nobody knows it', async () => {
    const [near, far] = await Promise.all([
      registerProvider(abroad, { timeZone: 'America/Toronto' }),
      registerProvider(daybook, { timeZone: 'America/Toronto' }),
    ]);
    const [here, there] = [await createParty(near), await createParty(far)];
    expect(timesOf(await abroad.visitor().get(partyPath(here)))).toEqual(both(here, 'America/Toronto'));
    expect(timesOf(await daybook.visitor().get(partyPath(there)))).toEqual(both(there, 'America/Toronto'));
  });
});

describe('the calendar file', () => {
  /** The one event of a calendar file, as another program reads it. */
  async function eventOf(path: string, who: Visitor = daybook.visitor()) {
    const { status, headers, text } = await who.get(path);
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/calendar/)]);
    for (const line of text.split('\r\n')) {
      expect(line).not.toContain('\n');
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    }
    const [component, ...more] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
    expect(more).toEqual([]);
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      sequence: event.sequence,
      summary: event.summary,
      description: event.description,
      location: event.location,
      url: String(component?.getFirstPropertyValue('url')),
      status: String(component?.getFirstPropertyValue('status')),
      startsAt: event.startDate.toJSDate().toISOString(),
      endsAt: event.endDate.toJSDate().toISOString(),
    };
  }

  const words = { title: 'Ünïcode, semi; colon\\ & 🎉', description: `Two lines,\nand ${'more; '.repeat(40)}` };

  test.each(['party', 'meetup'])(
    'of a %s opens elsewhere, and an edit raises its SEQUENCE, not its UID',
    async (kind) => {
      const details = { ...words, address: '5 Elm Street, Kandy', startTime: '20:00', endTime: '02:00' };
      const isParty = kind === 'party';
      const made = isParty ? await createParty(host, details) : await createMeetup(host, details);
      const page = isParty ? `/party/${made.id}` : `/meetup-rsvp/${linkOf(made, 'Ada').id}`;
      const call = isParty ? `/api/Party/EditParty/${made.id}` : `/api/meetup/EditMeetup/${made.id}`;
      const edit = async (change: object) => expect((await host.api('PUT', call, change)).status).toBe(200);
      const read = () => eventOf(`${page}/daybook.ics`);
      const shouted = page.replace(/^\/[^/]+/, (name) => name.toUpperCase());

      const first = await read();
      expect(first).toEqual({
        uid: expect.stringMatching(/.{20,}/),
        sequence: 0,
        summary: words.title,
        description: words.description.trim(),
        location: '5 Elm Street, Kandy',
        url: `${daybook.url}${page}`,
        status: 'CONFIRMED',
        startsAt: made.startsAt,
        endsAt: made.endsAt,
      });
      expect(await eventOf(`${shouted}/daybook.ics/`)).toEqual(first);
      await (isParty ? rsvp(maya, made) : reply(daybook.visitor(), linkOf(made, 'Ada')));
      await edit({ title: words.title });
      expect(await read()).toEqual(first);

      await edit({ startTime: '21:00' });
      const moved = await read();
      expect(moved).toEqual({ ...first, sequence: moved.sequence, startsAt: made.startsAt.replace('T14:', 'T15:') });
      expect(moved.sequence).toBeGreaterThan(first.sequence);
      await edit({ title: 'Other' });
      expect((await read()).sequence).toBeGreaterThan(moved.sequence);
      expect((await read()).uid).toBe(first.uid);
    },
  );

  test('is the same one behind the link after a yes and behind the one on the first page', async () => {
    const party = await createParty(host);
    const home = await (await june.browser.get(partyPath(party))).submit('RSVP');
    const letter = await june.browser.get(partyPath(party));
    const hrefs = [home, letter].map(
      (page) =>
        page
          .$$('main a')
          .find(({ text }) => text === 'Add to calendar')
          ?.getAttribute('href') ?? '',
    );
    expect(new Set(hrefs).size).toBe(1);
    expect(await eventOf(hrefs[0] ?? '', june.browser)).toMatchObject({ summary: 'Garden party', location: null });
  });
});
