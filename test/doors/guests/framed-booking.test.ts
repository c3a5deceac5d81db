import { type HTMLElement, parse } from 'node-html-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { complaints } from '../../support/complaints';
import { book, dayAhead, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { markupFaultsOf } from '../../support/markup';
import { bringIn, houseService, openShop } from '../../support/shops';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, type Sent, titleOf, tripsOf, type Visitor } from '../../support/visit';
import { fullyBooked } from '../../support/waitlist';

/* A provider's page in a frame of another site: who may show it, and that it is a stranger's without cookies. */

const daybook = useServer();
const people = peopleAt(daybook);
const { newProvider } = people;
const { ana, maya } = useWorld(daybook, { ana: { location: 'Lisbon' }, maya: {} });
const site = 'https://barber.example';
const [zoe, otherSite] = [{ displayName: 'Zoë' }, 'https://other.example:8443'];

beforeAll(async () => {
  await setRules(ana, { embedOn: [site, otherSite] });
});

let days = 1;
async function freshSlots(): Promise<[Row, Row]> {
  days += 1;
  return (await publish(ana, { dates: [dayAhead(days)], end: '10:00' })) as [Row, Row];
}
const framersOf = ({ headers }: Page) =>
  /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
const formPath = ({ provider, id }: Row) => `/with/${provider}/${id}`;
const framed = (path: string, reader: Visitor = daybook.visitor()) => reader.get(`${path}?framed`);

/** What Zoë has after she booked in a frame, and how it came. */
async function bookedInFrame(): Promise<Page> {
  const [slot] = await freshSlots();
  return (await framed(formPath(slot))).submit('Book', zoe);
}

describe('the sites of a provider', () => {
  test('may name ports, and are stored as browsers write them', async () => {
    const changed = await setRules(await newProvider(), {
      embedOn: [
        'https://Barber.Example',
        'https://barber.example:443',
        'https://b.example:8443',
        'http://localhost:3000',
      ],
    });

    expect(changed.json).toMatchObject({
      embedOn: ['https://barber.example', 'https://b.example:8443', 'http://localhost:3000'],
    });
  });

  test.each([
    'http://barber.example',
    'https://barber.example/',
    'https://barber.example/book',
    'https://*.example',
    'https://me@barber.example',
    'https://a.example https://b.example',
    "https://a.example; script-src 'unsafe-inline'",
    "'self'",
    '*',
    'javascript:alert(1)',
    'http://192.168.0.1',
    '',
  ])('can’t be %j', async (wrong) => {
    const host = await newProvider();

    const refused = await setRules(host, { embedOn: [site, wrong] });

    expect(complaints(refused)).toEqual([expect.stringContaining('is no site')]);
  });

  test('are ten at most', async () => {
    const eleven = Array.from({ length: 11 }, (_, place) => `https://s${place}.example`);

    expect(complaints(await setRules(await newProvider(), { embedOn: eleven }))).toEqual([
      'At most 10 sites can show your page.',
    ]);
  });

  test('are saved on the screen of the page, one a line', async () => {
    const host = await newProvider();
    const page = await host.browser.get('/your-page');

    const saved = await page.submit('Save the sites', { embedOn: `${site}\n${otherSite}` });

    expect(saved.$('textarea[name=embedOn]')?.text.trim()).toBe(`${site}\n${otherSite}`);
    expect(saved.$('input[value^="<iframe"]')?.getAttribute('value')).toContain(`/with/${host.username}?framed="`);
  });

  test('that are refused on the screen stay typed', async () => {
    const page = await (await newProvider()).browser.get('/your-page');

    const refused = await page.submit('Save the sites', { embedOn: 'barber.example' });

    expect(refused.status).toBe(400);
    expect(refused.$('textarea[name=embedOn]')?.text.trim()).toBe('barber.example');
  });
});

describe('the code for the own site', () => {
  const displayName = 'Ben & "Söhne"';
  let host: Person;
  let page: Page;
  beforeAll(async () => {
    host = await newProvider({ displayName });
    await setRules(host, { embedOn: [site] });
    page = await host.browser.get('/your-page');
  });

  /** The one element of the code that stands to copy under this label. */
  function pasted(label: string): HTMLElement {
    const id =
      page
        .$$('main label')
        .find(({ text }) => text.trim() === label)
        ?.getAttribute('for') ?? '';
    const [element, ...more] = parse(page.$(`[id="${id}"]`)?.getAttribute('value') ?? '').children as HTMLElement[];
    if (!element || more.length > 0) throw new Error(`“${label}” is not the code of one element.`);
    return element;
  }
  const address = () => `${daybook.url}/with/${host.username}`;

  test('shows the whole booking in a frame, which opens there', async () => {
    const frame = pasted('The whole booking, in a frame');

    expect(frame.localName).toBe('iframe');
    expect(frame.getAttribute('title')).toBe(`Book with ${displayName}`);
    expect(frame.getAttribute('src')).toBe(`${address()}?framed=`);
    const shown = await daybook.visitor().get(frame.getAttribute('src') ?? '');
    expect([shown.status, framersOf(shown)]).toEqual([200, site]);
  });

  test.each(['A link', 'A button'])('leads to the page by %s', (label) => {
    const link = pasted(label);

    expect(link.localName).toBe('a');
    expect(link.getAttribute('href')).toBe(address());
    expect(link.text).toBe(`Book with ${displayName}`);
    expect(link.hasAttribute('style')).toBe(label === 'A button');
  });

  test('has no frame until a site may show it', async () => {
    const own = await (await newProvider()).browser.get('/your-page');

    expect(own.words).not.toContain('The whole booking, in a frame');
    expect(own.words).toContain('A button');
  });

  test('stands beside a preview, which the screen itself may show', async () => {
    const preview = page.$('main iframe');

    const shown = await host.browser.get(preview?.getAttribute('src') ?? '');

    expect(preview?.getAttribute('title')).toBe(`Book with ${displayName}`);
    expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'");
    expect([shown.status, framersOf(shown)]).toEqual([200, "'self'"]);
    expect(titleOf(shown)).toBe(displayName);
  });
});

describe('a page in a frame', () => {
  const both = `${site} ${otherSite}`;

  const steps: [string, () => Promise<Page>][] = [
    ['the first page', () => framed(`/with/${ana.username}`)],
    ['the form of a time', async () => framed(formPath((await freshSlots())[0]))],
    ['the form to wait', () => framed(`/with/${ana.username}/wait`)],
    [
      'a refused form',
      async () => (await framed(formPath((await freshSlots())[0]))).submit('Book', { displayName: '' }),
    ],
    ['what was just booked', bookedInFrame],
    ['a time that is nobody’s', () => framed(`/with/${ana.username}/nothing`)],
  ];

  test.each(steps)('may be shown by the sites: %s', async (_, open) => {
    expect(framersOf(await open())).toBe(both);
  });

  test.each(steps)('is in right markup: %s', async (_, open) => {
    expect(await markupFaultsOf(await open())).toEqual([]);
  });

  test.each<[string, () => Promise<Page>]>([
    ['that is addressed as a page of its own', () => daybook.visitor().get(`/with/${ana.username}`)],
    ['of a provider who names no site', async () => framed(`/with/${(await newProvider()).username}`)],
    ['of nobody', () => framed('/with/nobody-at-all')],
    ['that is no step of a booking', () => framed('/login')],
    ['that changes a booking', async () => framed(`${new URL((await bookedInFrame()).url).pathname}/move`)],
    ['of a personal link that is wrong', () => framed(`/booking/${'A'.repeat(65)}`)],
  ])('may be shown by nobody: one %s', async (_, open) => {
    expect(framersOf(await open())).toBe("'none'");
  });

  test('may not be shown once its booking was made an hour ago', async () => {
    const { path, reader } = await bookedInFrame();
    await daybook.d1.prepare('UPDATE bookings SET booked_at = booked_at - 3600000').run();

    expect(framersOf(await reader.get(path))).toBe("'none'");
  });

  test('is shown by the own screen alone as a preview', async () => {
    expect(framersOf(await daybook.visitor().get(`/with/${ana.username}?framed=preview`))).toBe("'self'");
  });

  test('runs no script', async () => {
    const page = await bookedInFrame();

    expect(page.headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(page.$$('script')).toEqual([]);
  });

  test('asks the database no more often', async () => {
    expect(tripsOf(await framed(formPath((await freshSlots())[0])))).toBe(1);
  });

  test('names whom it is about, and where', async () => {
    const page = await framed(formPath((await freshSlots())[0]));

    expect(page.$('header')?.text).toContain('Ana Costa · Lisbon');
  });

  test('leads on in the frame, and to all else in a tab of its own', async () => {
    const pages = [await framed(`/with/${ana.username}`), await bookedInFrame()];

    const links = pages
      .flatMap((page) => page.$$('a[href]'))
      .filter((link) => /^(\/|http)/.test(link.getAttribute('href') ?? ''));
    const astray = links.filter(
      (link) => /[?&]framed=/.test(link.getAttribute('href') ?? '') === (link.getAttribute('target') === '_blank'),
    );
    expect(links.length).toBeGreaterThan(5);
    expect(astray.map(String)).toEqual([]);
  });

  test('keeps the language that was chosen there', async () => {
    const page = await daybook.visitor().get(`/with/${ana.username}?framed=&lang=de`);

    expect(page.headers.get('content-language')).toBe('de');
    expect(
      page.$$('main a[href*="framed="]').filter((link) => !link.getAttribute('href')?.includes('lang=de')),
    ).toEqual([]);
  });
});

describe('in a frame', () => {
  test('no response sets a cookie', async () => {
    const reader = daybook.visitor();
    const [slot] = await freshSlots();

    const form = await reader.get(`${formPath(slot)}?framed=&lang=de`);
    const booked = await form.submit('form[method=post]', zoe);

    expect(titleOf(booked)).toBe('Ihr Termin');
    expect(reader.cookies.header('/')).toBeUndefined();
  });

  test('a form sent twice books once', async () => {
    const [slot] = await freshSlots();
    const form = await framed(formPath(slot));

    const [first, second] = [await form.submit('Book', zoe), await form.submit('Book', zoe)];

    expect(new URL(second.url).pathname).toBe(new URL(first.url).pathname);
    expect(second.status).toBe(200);
  });

  test('somebody who is logged in is nobody', async () => {
    const [slot] = await freshSlots();

    const page = await framed(formPath(slot), maya.browser);

    expect(page.text).not.toContain('Maya');
    expect(page.$('input[name=displayName]')).not.toBeNull();
  });

  test('a post of another site books nothing', async () => {
    const [slot] = await freshSlots();
    const from: Sent = { 'sec-fetch-site': 'cross-site', origin: site };

    const refused = await daybook.visitor().post(`${formPath(slot)}?framed`, zoe, from);

    expect(refused.status).toBe(403);
  });

  test('a lost race offers other times there', async () => {
    const [slot] = await freshSlots();
    const form = await framed(formPath(slot));
    await book(maya, slot);

    const late = await form.submit('Book', zoe);

    expect(late.status).toBe(409);
    expect(framersOf(late)).toBe(`${site} ${otherSite}`);
    expect(late.$$('main form[method=post]').filter((one) => !one.getAttribute('action')?.includes('framed='))).toEqual(
      [],
    );
  });

  test('somebody waits there', async () => {
    const { host } = await fullyBooked(people);
    await setRules(host, { embedOn: [site] });
    const form = await framed(`/with/${host.username}/wait`);

    const waiting = await form.submit('Tell me', { ...zoe, email: 'zoe@example.org' });

    expect(titleOf(waiting)).toBe('You are waiting');
    expect(framersOf(waiting)).toBe(site);
  });
});

describe('a cached page in a frame', () => {
  let host: Person;
  beforeAll(async () => {
    host = await newProvider();
    await publish(host);
    await setRules(host, { embedOn: [site] });
  });

  test('keeps its sites, and is apart from the page of its own', async () => {
    await framed(`/with/${host.username}`);

    const [again, own] = [
      await framed(`/with/${host.username}`),
      await daybook.visitor().get(`/with/${host.username}`),
    ];

    expect(tripsOf(again)).toBe(0);
    expect(framersOf(again)).toBe(site);
    expect(framersOf(own)).toBe("'none'");
    expect(own.text).not.toContain('framed=');
  });

  test('keeps its sites where somebody has asked for it by an encoded name', async () => {
    const other = await newProvider();
    await setRules(other, { embedOn: [site] });

    await daybook.visitor().get(`/with/${other.username}?%66ramed=`);

    const shown = await framed(`/with/${other.username}`);
    expect([tripsOf(shown), framersOf(shown)]).toEqual([0, site]);
  });

  test('learns at once of other sites', async () => {
    await framed(`/with/${host.username}`);

    await setRules(host, { embedOn: [otherSite] });

    expect(framersOf(await framed(`/with/${host.username}`))).toBe(otherSite);
  });
});

describe('the sites of a shop', () => {
  /** A shop whose two people have named no sites of their own. */
  async function aShop() {
    const [owner, colleague] = await Promise.all([newProvider(), newProvider()]);
    const { username: shop } = await openShop(owner);
    await bringIn(owner, [colleague]);
    return { owner, colleague, shop };
  }
  const setSites = (who: Person, embedOn: string[]) => who.api('PUT', '/api/Shop/Edit', { embedOn });

  test('are told to its people', async () => {
    const { owner, colleague } = await aShop();

    const changed = await setSites(owner, [site, `${site}:443`]);

    expect(changed.json).toMatchObject({ embedOn: [site] });
    expect((await colleague.api('GET', '/api/Shop/Get')).json).toMatchObject({ embedOn: [site] });
  });

  test('are set by owners alone', async () => {
    const { colleague } = await aShop();

    expect((await setSites(colleague, [site])).status).toBe(403);
  });

  test('show its page, and its people’s beside their own sites', async () => {
    const { owner, colleague, shop } = await aShop();
    await setSites(owner, [site]);
    await setRules(colleague, { embedOn: [otherSite, site] });

    expect(framersOf(await framed(`/with/${shop}`))).toBe(site);
    expect(framersOf(await framed(`/with/${owner.username}`))).toBe(site);
    expect(framersOf(await framed(`/with/${colleague.username}`))).toBe(`${otherSite} ${site}`);
  });

  test('show what is booked there with whoever is free', async () => {
    const { owner, colleague, shop } = await aShop();
    await setSites(owner, [site]);
    const { id } = await houseService(owner, shop, [colleague], { name: 'Cut', minutes: 30 });
    const [slot] = (await publish(colleague, { dates: [dayAhead(2)], end: '09:30' })) as [Row];

    const start = encodeURIComponent(slot.startsAt);
    const form = await daybook.visitor().get(`/with/${shop}/at/${start}?service=${id}&framed`);
    const booked = await form.submit('Book', zoe);

    expect(booked.words).toContain('Booked for Zoë.');
    expect([framersOf(form), framersOf(booked)]).toEqual([site, site]);
  });

  test('change at once on the kept page of a colleague', async () => {
    const { owner, colleague } = await aShop();
    await setSites(owner, [site]);
    await framed(`/with/${colleague.username}`);

    await setSites(owner, [otherSite]);

    expect(framersOf(await framed(`/with/${colleague.username}`))).toBe(otherSite);
  });

  test('are named on the screen of the shop, with the code to paste', async () => {
    const { owner, shop } = await aShop();

    const page = await (await owner.browser.visit('/shop')).submit('Save the sites', { embedOn: site });

    expect(page.words).toContain('The sites are saved.');
    expect(page.text).toContain(`/with/${shop}?framed`);
  });
});
