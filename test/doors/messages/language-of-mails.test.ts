import { beforeAll, describe, expect, test } from 'vitest';
import { book, type Person, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import type { Arrived } from '../../support/mail-server';
import { confirmAddress, newAddress } from '../../support/mails';
import { createMeetup, createParty, linkOf, reply } from '../../support/party-factories';
import { useMail } from '../../support/use-mail';
import { addGuest, fullyBooked } from '../../support/waitlist';

/* Everybody reads their own language, in their mails, entries, feeds and screens, whatever others read. */

const { mailServer, daybook } = useMail();
const people = peopleAt(daybook);
const { newProvider, newConsumer } = people;

const speak = async <Who extends Person>(who: Who, lang: string | null): Promise<Who> => {
  await who.api('PUT', '/api/Account/SetProfile', { lang });
  return who;
};
const profileOf = async ({ api }: Person) => (await api('GET', '/api/Account/Profile')).json;
const inArabic = { 'accept-language': 'ar-EG' };
const newHost = async () => confirmAddress(daybook.d1, await speak(await newProvider({ displayName: 'Karla' }), 'de'));
const arabicVisitor = () => {
  const visitor = daybook.visitor();
  Object.assign(visitor.headers, inArabic);
  return visitor;
};

describe('a booking of a guest who reads Arabic with a provider who reads German', () => {
  let guests: Arrived;
  let providers: Arrived;
  beforeAll(async () => {
    const [host, email] = [await newHost(), newAddress()];
    const slot = await publishOne(host);
    const form = await arabicVisitor().get(`/with/${host.username}/${slot.id}`);
    await form.submit('حجز', { displayName: 'ليلى', email });
    [guests, providers] = await Promise.all([mailServer.got(email, /Karla/), mailServer.got(host.email, /ليلى/)]);
  });

  test('is confirmed to the guest in Arabic', () => {
    expect(guests.mail.text).toMatch(/\p{Script=Arabic}{3}/u);
    expect(guests.mail.text).not.toMatch(/\b(your|booked|appointment)\b/i);
  });

  test('is confirmed to the guest from right to left', () => {
    expect(guests.mail.html).toContain('<html lang="ar" dir="rtl">');
  });

  test('is told to the provider in German', () => {
    expect(providers.mail.html).toContain('<html lang="de">');
    expect(providers.mail.text).toContain('Guten Tag');
  });
});

describe('an account', () => {
  test('has no language of its own at first', async () => {
    expect(await profileOf(await newConsumer())).toMatchObject({ lang: null });
  });

  test('that is registered in German has German', async () => {
    const visitor = daybook.visitor();
    const body = { username: 'hans.albers', displayName: 'Hans', password: 'Correct horse 1', role: 'Consumer' };

    await visitor.api('POST', '/api/Account/Register', body, { 'accept-language': 'de' });

    expect((await visitor.api('GET', '/api/Account/Profile')).json).toMatchObject({ lang: 'de' });
  });

  test.each([
    ['fr', 'fr'],
    ['pt-BR', 'pt'],
    [null, null],
    ['', null],
  ])('that chooses %j has %j', async (lang, stored) => {
    const ana = await speak(await newConsumer(), lang);

    expect(await profileOf(ana)).toMatchObject({ lang: stored });
  });

  test('that chooses a language which nobody here speaks keeps its own', async () => {
    const ana = await speak(await speak(await newConsumer(), 'es'), 'xx');

    expect(await profileOf(ana)).toMatchObject({ lang: 'es' });
  });

  test('reads its own language, before that of its browser', async () => {
    const ana = await speak(await newConsumer(), 'es');

    expect((await ana.browser.get('/profile', { 'accept-language': 'de' })).text).toContain('<html lang="es"');
  });

  test('reads the language that an address asks for, before its own', async () => {
    const ana = await speak(await newConsumer(), 'es');

    expect((await ana.browser.get('/profile?lang=fr')).text).toContain('<html lang="fr"');
  });

  test('chooses its language in its profile', async () => {
    const ana = await newConsumer();

    await (await ana.browser.visit('/profile')).submit('Save profile', { lang: 'de' });

    expect((await ana.browser.get('/profile')).text).toContain('<html lang="de"');
  });

  test('is led from the end of a page to its profile, where it has chosen', async () => {
    const ana = await speak(await newConsumer(), 'es');

    const page = await ana.browser.get('/news');

    expect(page.$$('nav[aria-label=Idioma] a').map((link) => link.getAttribute('href'))).toEqual(['/profile']);
  });

  test('reads a language that another device has chosen from its second page on', async () => {
    const ana = await newConsumer();
    const other = daybook.visitor();
    await other.api('POST', '/api/Account/Login', { username: ana.username, password: 'Correct horse 1' });

    await speak(ana, 'de');
    await other.get('/profile');

    expect((await other.get('/profile')).text).toContain('<html lang="de"');
  });

  test('gets mails in its language', async () => {
    const ana = await confirmAddress(daybook.d1, await speak(await newConsumer(), 'de'));
    await book(ana, await publishOne(await newProvider()));

    expect((await mailServer.got(ana.email, /./)).mail.html).toContain('<html lang="de">');
  });

  test('has its feed in its language, also after it chose another', async () => {
    const host = await newHost();
    const { json } = await host.api('POST', '/api/Account/MakeFeed', {});
    const busy = (json as { link: string }).link;
    const link = `${busy}?busy=true`;
    const etag = (await host.browser.get(link)).headers.get('etag');

    await speak(host, 'fr');

    const { status, text } = await host.browser.get(link, { 'if-none-match': etag });
    expect(status).toBe(200);
    expect(text).toMatch(/NAME:Daybook\s: occupé/);
  });
});

describe('an account that has chosen no language', () => {
  const readsIn = async (who: Person, language: string) => {
    await who.browser.get('/news', { 'accept-language': language });
    return who;
  };
  const mailAfterBooking = async (who: Person & { email: string }) => {
    await book(who, await publishOne(await newProvider()));
    return (await mailServer.got(who.email, /./)).mail;
  };
  const newReader = async () => confirmAddress(daybook.d1, await newConsumer());

  test('gets mails in the language in which it last read a page', async () => {
    const ana = await newReader();

    await readsIn(ana, 'pt-BR');

    expect((await mailAfterBooking(ana)).html).toContain('<html lang="pt">');
  });

  test('gets mails in the language that it chose at the end of a page', async () => {
    const ana = await newReader();

    const { headers } = await ana.browser.get('/view?lang=ar', { 'accept-language': 'fr' });
    await ana.browser.get(headers.get('location') as string, { 'accept-language': 'fr' });

    expect((await mailAfterBooking(ana)).html).toContain('<html lang="ar" dir="rtl">');
  });

  test('gets mails in English again after a page in English', async () => {
    const ana = await newReader();
    await readsIn(ana, 'pt');

    await readsIn(ana, 'en');

    expect((await mailAfterBooking(ana)).html).toContain('<html lang="en">');
  });

  test('still reads what each device says', async () => {
    const ana = await newReader();
    await readsIn(ana, 'pt');

    expect((await ana.browser.get('/news', { 'accept-language': 'fr' })).text).toContain('<html lang="fr"');
    expect(await profileOf(ana)).toMatchObject({ lang: null });
  });

  test('has its feed in the language in which it last read a page', async () => {
    const ana = await newReader();
    const { link } = (await ana.api('POST', '/api/Account/MakeFeed', {})).json as { link: string };
    const busy = `${link}?busy=true`;
    const etag = (await ana.browser.get(busy)).headers.get('etag');

    await readsIn(ana, 'fr');

    expect((await ana.browser.get(busy, { 'if-none-match': etag })).text).toMatch(/NAME:Daybook\s: occupé/);
  });

  test('has read nothing where a program called', async () => {
    const ana = await newReader();
    await readsIn(ana, 'pt');

    await ana.api('GET', '/api/Account/Profile', undefined, { 'accept-language': 'de' });

    expect((await mailAfterBooking(ana)).html).toContain('<html lang="pt">');
  });

  test('and then chooses one gets mails in it, whatever it reads', async () => {
    const ana = await speak(await newReader(), 'de');

    await ana.browser.get('/news?lang=fr');

    expect((await mailAfterBooking(ana)).html).toContain('<html lang="de">');
  });
});

test('a name of a meetup gets mail in the language of its answer', async () => {
  const [host, email] = [await newHost(), newAddress()];
  const meetup = await createMeetup(host, { title: 'Tee', attendees: [{ name: 'Ada', email }] });
  await mailServer.got(email, /Tee/);
  const ada = linkOf(meetup, 'Ada');
  const visitor = daybook.visitor();
  Object.assign(visitor.headers, { 'accept-language': 'es' });
  await reply({ api: visitor.api.bind(visitor) } as Person, ada);

  await host.api('PUT', `/api/Meetup/EditMeetup/${meetup.id}`, { startTime: '21:00', endTime: '22:00' });

  await expect
    .poll(() => mailServer.arrived.some(({ mail }) => String(mail.html).includes('<html lang="es">')))
    .toBe(true);
});

test('a name of a meetup is invited in the host’s language', async () => {
  const [host, email] = [await newHost(), newAddress()];

  await createMeetup(host, { title: 'Kaffee', attendees: [{ name: 'Ada', email }] });

  expect((await mailServer.got(email, /Kaffee/)).mail.html).toContain('<html lang="de">');
});

test('a guest of a party gets mail in the language of their answer', async () => {
  const [host, email] = [await newHost(), newAddress()];
  const party = await createParty(host, { title: 'Lanterns', openTo: 'anyone' });
  const visitor = daybook.visitor();
  Object.assign(visitor.headers, { 'accept-language': 'fr' });

  await (await visitor.get(`/party/${party.id}`)).submit('Je viens', { displayName: 'Ada', email });

  expect((await mailServer.got(email, /./)).mail.html).toContain('<html lang="fr">');
});

test('a stranger who waits is told in the language in which they asked', async () => {
  const { host } = await fullyBooked({ ...people, newProvider: newHost });
  const [visitor, email] = [daybook.visitor(), newAddress()];
  Object.assign(visitor.headers, { 'accept-language': 'pt' });

  await addGuest(visitor, host, { displayName: 'Rui', email });

  expect((await mailServer.got(email, /./)).mail.html).toContain('<html lang="pt">');
});

test('a person whom a provider books for is told in the provider’s language', async () => {
  const [host, email] = [await newHost(), newAddress()];
  const slots = (await publish(host)) as Row[];

  await host.api('POST', `/api/Appointment/BookFor?id=${slots[0]?.id}`, { displayName: 'Ada', email });

  expect((await mailServer.got(email, /./)).mail.html).toContain('<html lang="de">');
});

test('a person whom a provider books for is told in the language in which the provider last read', async () => {
  const [host, email] = [await confirmAddress(daybook.d1, await newProvider()), newAddress()];
  const slot = await publishOne(host);
  await host.browser.get('/news', { 'accept-language': 'pt' });

  await host.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, { displayName: 'Ada', email });

  expect((await mailServer.got(email, /./)).mail.html).toContain('<html lang="pt">');
});

test('a table of bookings has its heads in the reader’s language', async () => {
  const host = await newHost();

  expect((await host.browser.get('/view-booked/bookings.csv')).text).toContain('Datum');
});

test('news in the API stay in English', async () => {
  const host = await newHost();
  await book(await newConsumer({ displayName: 'Ana' }), await publishOne(host));

  const { json } = await host.api('GET', '/api/Account/GetNews');

  expect((json as { text: string }[])[0]?.text).toMatch(/Ana booked/);
});
