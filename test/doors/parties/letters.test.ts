import { beforeAll, describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { tripsOf } from '../../support/asked';
import { book, dayAhead, publish, type Row } from '../../support/factories';
import { classesWithoutStyle, linkPath, partyPath, stylesOf } from '../../support/letters';
import {
  createMeetup,
  createParty,
  endParty,
  full,
  linkOf,
  type Party,
  publishQuestions,
  reply,
  rsvp,
} from '../../support/party-factories';
import { intake, intakeAnswers } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';
import { weightOf } from '../../support/weight';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { host, rival, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  rival: {},
  maya: { username: 'maya.l' },
  june: {},
});

const contentOf = (page: Page, meta: string) => page.$(`meta[${meta}]`)?.getAttribute('content') ?? '';

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
      ['a party with a link that is cut off', open(stranger, partyPath(party).slice(0, -1)), 404],
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

  test('has at most 1 KB of script in it, with the nonce of its policy, and no other code', async () => {
    const found = await each((page) => {
      const scripts = page.$$('script');
      const [, nonce] = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
      expect(nonce).toBeTruthy();
      for (const script of scripts) expect(script.getAttribute('nonce')).toBe(nonce);
      stylesOf(page);
      for (const element of page.$$('*')) {
        expect(Object.keys(element.attributes).filter((name) => /^on/i.test(name))).toEqual([]);
      }
      return scripts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) <= 1024;
    });
    all(true, found);
  });

  test('has each of its classes in its styles, which its policy allows', async () => {
    const missing = await each((page) => classesWithoutStyle(page));
    all([], missing);
    const [taken, free] = (await publish(host, { dates: [dayAhead(2)], end: '10:00' })) as [Row, Row];
    await book(maya, taken);
    const form = `/with/${host.username}/${taken.id}`;
    for (const [path, status] of [
      [form, 409],
      [`/with/${host.username}`, 200],
      [`/with/${host.username}/${free.id}`, 200],
    ] as const) {
      const page = await daybook.visitor().get(path);
      expect([path, page.status, classesWithoutStyle(page)]).toEqual([path, status, []]);
    }
  });

  test('weighs at most 10 KB in one request', async () => {
    const found = await each((page) => weightOf(daybook.visitor(), page));
    for (const [name, weight] of found) {
      const { requests, bytes } = weight as Awaited<ReturnType<typeof weightOf>>;
      expect([name, requests, bytes <= 10_000 ? 'light' : bytes]).toEqual([name, 1, 'light']);
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
        // Each week leads to the next, without an end: one of them is enough.
        const place = path.replace(/^(\/(?:week|day|create))\b.*/, '$1');
        if (opened.has(place)) continue;
        opened.add(place);
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
