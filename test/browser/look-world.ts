import { signatures } from '../../app/domain/signatures.server';
import { codeOf, keyOn } from '../support/authenticator';
import {
  book,
  cancel,
  type Person,
  password,
  peopleAt,
  publication,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../support/factories';
import { newGuest } from '../support/guests';
import { mailTo } from '../support/mails';
import { createMeetup, createParty, linkOf, reply, rsvp } from '../support/party-factories';
import { createService } from '../support/services';
import { bringIn, houseService, invite, join, leave, openShop } from '../support/shops';
import { writePast, writeShop } from '../support/stored-bookings';
import { bookWith, idOf, writeTemplate } from '../support/template-factories';
import type { Served } from '../support/use-server';
import { add as wait, wishesOf } from '../support/waitlist';
import { dayOf, wire } from './calendar';

/** Somebody with much in their book, in words that are hard to fit; and somebody who has nothing yet. */
export type LookWorld = Awaited<ReturnType<typeof makeLookWorld>>;

/** The longest name of a place, without a gap to break it at. */
export const city = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';
const address = 'https://example.org/a/very/long/address/that/has/no/place/to/break';
const questions = [
  { questionText: 'Which side hurts?', questionType: 1, options: ['Left', 'Right'], required: true },
  { questionText: 'What helps?', questionType: 0, options: ['Rest', 'Ice', 'Donaudampfschifffahrtsgesellschaft'] },
  { questionText: 'Anything else?', questionType: 2 },
];
const answers = [
  { question: 'Which side hurts?', answer: 'left' },
  { question: 'Anything else?', answer: `It began in ${city}.` },
];

let worlds = 0;

export async function makeLookWorld(served: Served) {
  worlds += 1;
  const { newProvider: registerProvider, newConsumer: registerConsumer } = peopleAt(served);
  const [provider, consumer, newProvider, newConsumer, rival] = await Promise.all([
    registerProvider({
      displayName: 'Wolfeschlegelsteinhausenbergerdorff & Töchter',
      // As long as a name may be, and another one in each world: see servers.ts.
      username: `wolfeschlegelsteinhausenberger${String(worlds).padStart(2, '0')}`,
      location: city,
      description: `Knees, backs and shoulders.\n${address}`,
      timeZone: 'Asia/Colombo',
    }),
    registerConsumer({ displayName: 'Hubert Blaine Wolfeschlegelsteinhausen', timeZone: 'America/New_York' }),
    registerProvider({ location: 'Oslo' }),
    registerConsumer(),
    registerConsumer(),
  ]);
  const template = idOf(await writeTemplate(provider, questions, 'Before we begin'));
  const slots = await makeSlots(provider, template);
  await bookWith(consumer, slots.answered, answers);
  await book(consumer, slots.booked);
  const party = await makeParty(provider, template, consumer);
  const meetup = await makeMeetup(provider);
  await book(consumer, slots.canceled);
  await cancel(consumer, slots.canceled);
  await book(rival, slots.taken);
  await writeSlot(served.d1, provider, { startsIn: -3 * 24 * 60, booker: consumer });
  const guest = await newGuest(served, { displayName: 'Hubert Blaine' });
  const { json: byLink } = await book(guest, slots.byLink);
  const [guestRsvp, calledOff, links] = await Promise.all([
    rsvpLink(guest, party),
    makeCalledOff(provider, guest),
    makeMailLinks(served, rival),
    secure(newConsumer),
  ]);
  await createService(provider, { name: 'Colour and cut', minutes: 90, price: '85 €', gap: 10, isOffered: false });
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
  const { id: service } = await createService(provider, { name, seats: 8, isOffered: false });
  const hook = {
    url: `${address}?key=donaudampfschifffahrt`,
    kinds: ['booked', 'moved', 'canceled', 'answers', 'rsvps'],
  };
  const { id: webhook } = (await provider.api('POST', '/api/Account/MakeWebhook', hook)).json as { id: string };
  await provider.api('POST', `/api/Account/TestWebhook?id=${webhook}`);
  const { desk, shop, joining, joined, house, anyoneFor } = await makeShop(served, provider, consumer);
  const days = [20, 21].map((day) => wire(dayOf(2, day)));
  for (const day of days) await wait(consumer, provider, { from: day, to: day });
  // It is held as soon as it is there, so no list has it.
  await provider.api('POST', '/api/Appointment/CreateAppointment?len=30', publication({ dates: days.slice(1) }));
  const [waiting, held] = await wishesOf(consumer);
  const people = await provider.browser.visit('/people');
  const person = people.$$('main a').find(({ text }) => text.includes('Wolfeschlegelsteinhausen'));
  const ids = Object.fromEntries(Object.entries(slots).map(([name, { id }]) => [name, id]));
  /** What the names in the paths of screens stand for: ids, and the paths of links. */
  const names: Record<string, string | null | undefined> = {
    ...{
      ...ids,
      ...links,
      provider: provider.username,
      template,
      party,
      ...meetup,
      rsvp: guestRsvp,
      calledOff,
      service,
      webhook,
      joining,
      joined,
      ofShop: shop,
      ...desk,
      house,
      anyoneFor,
      dayOfAll: `/shop/day?date=${wire(dayOf(1, 10))}`,
      shop: `/with/${shop}`,
      anyone: `/with/${shop}/at/${slots.free.startsAt}`,
      anyoneTaken: `/with/${shop}/at/${slots.taken.startsAt}`,
      anyoneAgain: `${anyoneFor.replace('?', '/again?')}&every=7&ends=times&times=3`,
    },
    ...{ link: (byLink as Row).link, waiting: waiting?.link, offer: held?.offer?.link },
    person: person?.getAttribute('href'),
  };
  return { provider, consumer, newProvider, newConsumer, rival, slots, names };
}

/** The path of a screen in this world. */
export const pathIn = ({ names }: LookWorld, path: string) =>
  path.replace(/:([a-z]\w*)/gi, (_, name) => {
    const value = names[name];
    if (!value) throw new Error(`This world has no ${name} for ${path}.`);
    return value;
  });

/** The path of a guest's RSVP to a party. */
async function rsvpLink(guest: Person, party: string): Promise<string> {
  const { json } = await rsvp(guest, { id: party }, { accepted: false });
  return (json as { link?: string }).link ?? '';
}

/** The path of a guest's RSVP to a party that was called off. */
async function makeCalledOff(host: Person, guest: Person): Promise<string> {
  const party = await createParty(host, { title: 'A picnic', openTo: 'anyone' });
  const link = await rsvpLink(guest, party.id);
  await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`);
  return link;
}

/** From now on their login asks for a code of this app. */
async function secure(who: Person): Promise<void> {
  const page = await who.browser.visit('/second-factor');
  await page.submit('Turn it on', { code: codeOf(keyOn(page)), password });
}

/** The paths of what is reached by mails alone: to confirm an address, to set a lost password anew, to end such mail. */
async function makeMailLinks(served: Served, who: Person) {
  const { visitor, d1, secrets } = served;
  const email = `${who.username}@mail.test`;
  await who.api('PUT', '/api/Account/SetEmail', { email, password });
  const linkFor = async (address: string) =>
    (await mailTo(visitor(), address, /Is this your address/)).link('/confirm-email/');
  const confirmed = await linkFor(email);
  await (await visitor().visit(confirmed)).submit('Yes, this is my address');
  const unconfirmed = `of.${email}`;
  await peopleAt(served).newConsumer({ email: unconfirmed });
  const confirm = await linkFor(unconfirmed);
  await visitor().api('POST', '/api/Account/ForgotPassword', { username: who.username });
  const reset = (await mailTo(visitor(), email, /password/)).link('/reset-password/');
  const id = await d1.prepare('SELECT id FROM accounts WHERE username = ?').bind(who.username).first<string>('id');
  const { sign } = signatures(secrets.SESSION_SECRETS);
  const [unsubscribe, notMe] = [sign('unsubscribe', `${id} booked`), sign('not-me', 'nobody@mail.test')];
  return { confirm, confirmed, reset, unsubscribe: `/unsubscribe/${unsubscribe}`, notMe: `/not-me/${notMe}` };
}

async function makeSlots(provider: Person, template: string) {
  const notes = 'Second door on the left, ring twice: https://example.org/how-to-find-us-and-where-to-park-your-car';
  const [first, second] = [dayOf(1, 10), dayOf(1, 11)].map((date) => ({ dates: [wire(date)], start: '09:00', notes }));
  const [booked, canceled, free, taken, byLink] = await publish(provider, { ...first, end: '14:00' });
  const [answered, asking] = await publish(provider, { ...second, end: '10:00' }, `templateId=${template}`);
  // In Colombo next month may have begun: what can be turned to lies in the month after it.
  await publishOne(provider, { dates: [wire(dayOf(2, 5))] });
  const slots = { booked, canceled, free, taken, byLink, answered, asking };
  if (Object.values(slots).includes(undefined)) throw new Error('Too few slots were published.');
  return slots as Record<keyof typeof slots, Row>;
}

/** A shop of the provider and two colleagues, somebody who has left it, a service of it, and the paths of an open invitation to it and of a used one. */
async function makeShop(served: Served, owner: Person, client: Person) {
  const { username: shop } = await openShop(owner, {
    displayName: 'Wolfeschlegelsteinhausenbergerdorff & Donaudampfschifffahrtsgesellschaft',
    location: city,
  });
  const colleague = await peopleAt(served).newProvider({
    displayName: 'Donaudampfschifffahrtsgesellschaftskapitän',
    timeZone: 'Asia/Colombo',
  });
  await bringIn(owner, [colleague], 'desk');
  const used = await invite(owner);
  await join(
    await peopleAt(served).newProvider({ displayName: 'عبد الرحمن الخوارزمي', timeZone: 'Asia/Colombo' }),
    used,
  );
  const former = await peopleAt(served).newProvider({
    displayName: 'Wolfeschlegelsteinhausenbergerdorff',
    timeZone: 'Asia/Colombo',
  });
  await bringIn(owner, [former]);
  await writePast(served.d1, former, client, 1);
  await writeShop(served.d1, former, shop);
  await leave(former);
  // Nobody else does it: what the provider has is booked as it is.
  const { id: house } = await houseService(owner, shop, [colleague], { name: 'Cut' });
  const [first] = (await publish(colleague, { dates: [wire(dayOf(1, 12))], end: '14:00' })) as [Row];
  // By the owner, in the book of the colleague.
  const { id: free } = await publishOne(colleague, { dates: [wire(dayOf(1, 13))] });
  const path = `/api/Appointment/BookFor?id=${free}&of=${colleague.username}`;
  const booked = await owner.api('POST', path, { displayName: 'Wolfeschlegelsteinhausenbergerdorff' });
  const { id: deskBooked } = booked.json as Row;
  const { link } = await invite(owner, { email: `wolfeschlegelsteinhausenbergerdorff@${city}.example` });
  const anyone = `/with/${shop}/at/${first.startsAt}?service=${house}`;
  const desk = { colleague: colleague.username, deskBooked, former: former.username };
  return { desk, shop, joining: link, joined: used.link, house, anyoneFor: anyone };
}

async function makeParty(host: Person, template: string, guest: Person): Promise<string> {
  const party = await createParty(host, {
    title: `A housewarming in ${city}`,
    description: `Bring a cushion.\n${address}`,
    ...{ date: wire(dayOf(1, 20)), startTime: '19:00', endTime: '01:00', rsvpBy: wire(dayOf(1, 15)) },
    address: `1 High Street, ${city}`,
    ...{ template, capacity: 12, plusOnes: 2, openTo: 'anyone', showOnPage: true },
  });
  await rsvp(guest, party, { guests: 1 }, answers);
  return party.id;
}

/** A meetup to which one said yes, one no and one nothing yet, and the invitation of the last. */
async function makeMeetup(host: Person): Promise<{ meetup: string; invitation: string }> {
  const meetup = await createMeetup(host, {
    title: 'Spring planning',
    ...{ date: wire(dayOf(1, 21)), startTime: '10:00', endTime: '11:30', address: 'Room 4' },
    attendees: ['Ada', 'Wolfeschlegelsteinhausenbergerdorff', 'Grace Hopper'],
  });
  const [yes, no, open] = meetup.attendees.map(({ username }) => linkOf(meetup, username));
  if (!yes || !no || !open) throw new Error('Too few were invited.');
  await reply(host, yes);
  await reply(host, no, { accepted: false });
  return { meetup: meetup.id, invitation: open.id };
}
