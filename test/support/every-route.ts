import { consumer } from './account-calls';
import { book, dayAhead, password, peopleAt, publication, publish, publishOne, type Row, writeSlot } from './factories';
import { newGuest } from './guests';
import { createMeetup, createParty, linkOf, meetupDraft, partyDraft, publishQuestions, rsvp } from './party-factories';
import { createService, serviceDraft } from './services';
import { bringIn, invite, leave, openShop, shopDraft } from './shops';
import { openEnded } from './template-factories';
import type { Served } from './use-server';
import { visitor } from './visit';
import { keyOf, type Wish, add as wait, wishesOf } from './waitlist';

/* Every screen and every call of the product, and its status for each reader. */

const questions = [{ questionText: 'Why?', questionType: openEnded }];

export type RouteWorld = Awaited<ReturnType<typeof makeRouteWorld>>;

/** One of everything, and its readers; the consumer booked the slot and answered the party. */
/** A webhook where nobody listens. */
const webhookWish = { url: 'https://daybook.invalid.example/', kinds: ['booked'] };

export async function makeRouteWorld(daybook: Served) {
  const { newConsumer, newProvider } = peopleAt(daybook);
  const [consumer, provider, rival] = await Promise.all([newConsumer(), newProvider(), newProvider()]);
  const template = await publishQuestions(provider, questions);
  const service = await createService(provider, { isOffered: false });
  const [open, booked] = (await publish(provider, { end: '10:00' }, `templateId=${template}`)) as [Row, Row];
  const { link } = (await book(consumer, booked)).json as Row;
  const [party, meetup] = await Promise.all([createParty(provider), createMeetup(provider)]);
  await rsvp(consumer, party);
  const { id: past } = await writeSlot(daybook.d1, provider, { startsIn: -2000, booker: consumer });
  const [, person = ''] = /\/people\/([\w-]+)/.exec((await provider.browser.get('/people')).text) ?? [];
  const subscriber = await newConsumer();
  const { link: feed } = (await subscriber.api('POST', '/api/Account/MakeFeed')).json as { link: string };
  const rsvpOfGuest = await rsvp(await newGuest(daybook), await createParty(provider, { openTo: 'anyone' }));
  for (const day of [70, 71]) await wait(consumer, provider, { from: dayAhead(day), to: dayAhead(day) });
  await provider.api('POST', '/api/Appointment/CreateAppointment', publication({ dates: [dayAhead(71)] }));
  const [inLine, offered] = await wishesOf(consumer);
  const hook = await provider.api('POST', '/api/Account/MakeWebhook', webhookWish);
  const { username: shop } = await openShop(provider);
  const { link: joining } = await invite(provider);
  const former = await newProvider();
  await bringIn(provider, [former]);
  await leave(former);
  let days = 10;
  return {
    ...{ consumer, provider, rival, open, booked, template, service, party, meetup },
    /** An appointment that is over, the consumer as one of the provider's people, and the path of somebody's feed. */
    ...{ past, person, feed },
    /** The paths of the links of the booking, of a guest's RSVP to a party, of a place in line, and of a held time. */
    link: link ?? '',
    rsvp: (rsvpOfGuest.json as { link?: string }).link ?? '',
    waiting: inLine?.link ?? '',
    offer: offered?.offer?.link ?? '',
    webhook: (hook.json as { id: string }).id,
    /** The provider’s shop, the path of an invitation to it, and somebody who has left it. */
    ...{ shop, joining, former },
    /** A day on which the provider has published nothing yet. */
    newDay: () => dayAhead(++days),
  };
}

/** The rival is another provider. */
export type Statuses = [stranger: number, consumer: number, provider: number, rival: number];
export const readers = ['stranger', 'consumer', 'provider', 'rival'] as const;
export type Reader = (typeof readers)[number];

const everyone: Statuses = [200, 200, 200, 200];
const nobody: Statuses = [404, 404, 404, 404];
const members: Statuses = [302, 200, 200, 200];
const consumers: Statuses = [302, 200, 403, 403];
const providers: Statuses = [302, 403, 200, 200];
const owner: Statuses = [302, 403, 200, 404];
/** The consumer, who has booked it, and its provider. */
const both: Statuses = [302, 200, 200, 404];

export type Screen = [path: string, statuses: Statuses, path: (world: RouteWorld) => string];
type IdOf = (world: RouteWorld) => string;

/** Screens with the same readers, and the id or key that stands in their addresses; what may be left out is. */
const seenBy = (statuses: Statuses, paths: string[], idOf: IdOf = () => 'none') =>
  paths.map((path): Screen => {
    const needed = path.replace(/\/:\w+\?$/, '');
    return [path, statuses, (world) => needed.replace(/:\w+/, () => idOf(world))];
  });

const openId: IdOf = ({ open }) => open.id;
const bookedId: IdOf = ({ booked }) => booked.id;
const partyId: IdOf = ({ party }) => party.id;
const meetupId: IdOf = ({ meetup }) => meetup.id;
const adaId: IdOf = ({ meetup }) => linkOf(meetup, 'Ada').id;
const templateId: IdOf = ({ template }) => template;
const personId: IdOf = ({ person }) => person;
const nameOf: IdOf = ({ provider }) => provider.username;

/** Every screen of the specification. */
export const screens: Screen[] = [
  ...seenBy(everyone, ['/', '/register', '/login', '/logout', '/not-logged-in']),
  ...seenBy(members, ['/profile', '/view-booked', '/view-dash']),
  ...seenBy(providers, ['/create', '/create-template', '/create-party']),
  ...seenBy(providers, ['/view-templates', '/view-parties', '/view-meetups']),
  ...seenBy(consumers, ['/view']),
  ...seenBy(consumers, ['/details/:id'], openId),
  ...seenBy(consumers, ['/details-cancel/:id'], bookedId),
  ...seenBy(owner, ['/details-provider/:id', '/view-provider/:id'], bookedId),
  ...seenBy(owner, ['/details-template/:id'], templateId),
  ...seenBy(owner, ['/view-party/:id', '/edit-party/:id'], partyId),
  ...seenBy(owner, ['/manage-meetup/:id'], meetupId),
  ...seenBy(everyone, ['/party/:id'], partyId),
  ...seenBy(everyone, ['/meetup-rsvp/:id'], adaId),
];

/** Screens beside those of the specification. */
export const more: Screen[] = [
  ...seenBy(everyone, ['/accessibility', '/api', '/claim', '/login/code', '/lost-link']),
  ...seenBy(everyone, ['/forgot-password', '/reset-password/:token?']),
  ...seenBy(members, ['/invitations', '/calendar', '/week', '/news', '/waitlist', '/devices', '/keys', '/email']),
  ...seenBy(members, ['/recovery-codes', '/second-factor', '/your-data', '/your-data/daybook.json']),
  ...seenBy(providers, [
    '/rules',
    '/your-page',
    '/services',
    '/view-open',
    '/hours',
    '/other-calendars',
    '/day',
    '/webhooks',
    '/shop',
  ]),
  ...seenBy(providers, ['/view-booked/bookings.csv', '/book-at', '/people', '/people/people.csv', '/people/import']),
  ...seenBy(both, ['/move/:id/:to?', '/again/:id', '/appointments/:id/daybook.ics'], bookedId),
  ...seenBy(owner, ['/shop/day', '/shop/former']),
  ['/shop/hand-over', owner, ({ provider }) => `/shop/hand-over?of=${provider.username}`],
  ...seenBy(owner, ['/shop/former/:username'], ({ former }) => former.username),
  ...seenBy(owner, ['/webhooks/:id'], ({ webhook }) => webhook),
  ...seenBy(owner, ['/shop/rules']),
  ...seenBy(owner, ['/services/:id'], ({ service }) => service.id),
  ...seenBy(owner, ['/edit-template/:id'], templateId),
  ...seenBy(owner, ['/repeat/:id', '/view-party/:id/guests.csv'], partyId),
  ...seenBy(owner, ['/manage-meetup/:id/attendees.csv'], meetupId),
  ...seenBy(owner, ['/people/:id', '/people/:id/book', '/people/:id/standing', '/people/:id/merge'], personId),
  ...seenBy(everyone, ['/party/:id/daybook.ics'], partyId),
  ...seenBy(everyone, ['/meetup-rsvp/:id/daybook.ics'], adaId),
  ...seenBy(everyone, ['/with/:username', '/with/:username/wait'], nameOf),
  ['/with', [303, 303, 303, 303], () => '/with'],
  ['/with/:username/:id', everyone, (world) => `/with/${nameOf(world)}/${world.open.id}`],
  ['/with/:username/at/:start', everyone, ({ shop, open }) => `/with/${shop}/at/${open.startsAt}`],
  ['/with/:username/at/:start/again', consumers, ({ shop, open }) => `/with/${shop}/at/${open.startsAt}/again`],
  ...seenBy(everyone, ['/calendar/:feed'], ({ feed }) => keyOf(feed)),
  ...seenBy(everyone, ['/join/:key'], ({ joining }) => keyOf(joining)),
  ...seenBy(everyone, ['/waiting/:key'], ({ waiting }) => keyOf(waiting)),
  ...seenBy(everyone, ['/offer/:key'], ({ offer }) => keyOf(offer)),
  ...seenBy(everyone, ['/answer/:key', '/answer/:key/daybook.ics'], ({ rsvp: link }) => keyOf(link)),
  ...seenBy(everyone, ['/booking/:key', '/booking/:key/daybook.ics'], ({ link }) => keyOf(link)),
  ...seenBy(nobody, ['/booking/:key/move/:to?', '/booking/:key/again', '/confirm-email/:token']),
  ...seenBy(nobody, ['/not-me/:token', '/unsubscribe/:token']),
];

/** A file to download, not a page. */
export const isFile = (path: string) => /\.(ics|csv|json)$|:feed$/.test(path);

/** The valid input of a call. */
type Sent = { path?: string; body?: unknown };
type Sends = (world: RouteWorld) => Sent | Promise<Sent>;
export type ApiCall = [method: string, call: string, statuses: Statuses, sent?: Sends];

const monday = { day: 1, start: '09:00', end: '10:00' };
const day = { from: dayAhead(80), to: dayAhead(80) };
const csv = new Blob(['Name\nWanda\n'], { type: 'text/csv' });
const query = (path: string) => (): Sent => ({ path });
const json = (body: unknown) => (): Sent => ({ body });
const ofProvider = ({ provider }: RouteWorld): Sent => ({ path: `?provider=${provider.username}` });
/** Names a thing by its id, which is there already or is made for it. */
const of =
  (idOf: IdOf, more = '', body?: unknown) =>
  (world: RouteWorld): Sent => ({ path: `?id=${idOf(world)}${more}`, body });
const inPath =
  (idOf: IdOf, body?: unknown) =>
  (world: RouteWorld): Sent => ({ path: `/${idOf(world)}`, body });
type Make = (world: RouteWorld) => Promise<string>;
const ofNew =
  (make: Make, more = '', body?: unknown) =>
  async (world: RouteWorld): Promise<Sent> => ({ path: `?id=${await make(world)}${more}`, body });

const newTemplate: Make = ({ provider }) => publishQuestions(provider, questions);
const newParty: Make = async ({ provider }) => (await createParty(provider)).id;
const newMeetup: Make = async ({ provider }) => (await createMeetup(provider)).id;
const newName: Make = async ({ provider }) => linkOf(await createMeetup(provider), 'Ada').id;
const newService: Make = async ({ provider }) => (await createService(provider)).id;
const newSlot: Make = async ({ provider, newDay }) => (await publishOne(provider, { dates: [newDay()] })).id;
/** A start in the shop at which the provider is free. */
const atNewStart: Sends = async ({ provider, shop, newDay }) => {
  const { startsAt } = await publishOne(provider, { dates: [newDay()] });
  return { path: `?shop=${shop}&startsAt=${startsAt}` };
};
const newPerson: Make = async ({ provider }) =>
  ((await provider.api('POST', '/api/People/Create', { name: 'Wanda' })).json as { id: string }).id;
/** Of a slot of the provider on a day of its own, booked by the consumer. */
async function bookAnew({ provider, consumer, template, newDay }: RouteWorld): Promise<Row> {
  const [slot] = (await publish(provider, { dates: [newDay()] }, `templateId=${template}`)) as [Row];
  return (await book(consumer, slot)).json as Row;
}
const newBooking: Make = async (world) => (await bookAnew(world)).id;
/** Of a session that the consumer has in another browser. */
async function newSession({ consumer: { username, browser } }: RouteWorld): Promise<string> {
  const other = visitor(browser.url);
  await other.api('POST', '/api/Account/Login', { username, password });
  const [{ id }] = (await other.api('GET', '/api/Account/Sessions')).json as [{ id: string }];
  return id;
}
/** Of a key of the consumer's. */
async function newKey({ consumer }: RouteWorld): Promise<string> {
  const { json } = await consumer.api('POST', '/api/Account/MakeKey', { name: 'Till', scope: 'read', password });
  return (json as { id: string }).id;
}
/** Ends the webhooks that were made anew: a provider has three at most. */
async function endWebhooks({ provider, rival, webhook }: RouteWorld): Promise<void> {
  for (const who of [provider, rival]) {
    const { json } = await who.api('GET', '/api/Account/Webhooks');
    for (const { id } of (json as { id: string }[]).filter((one) => one.id !== webhook))
      await who.api('DELETE', `/api/Account/EndWebhook?id=${id}`);
  }
}
const newWebhook: Make = async (world) => {
  await endWebhooks(world);
  return ((await world.provider.api('POST', '/api/Account/MakeWebhook', webhookWish)).json as { id: string }).id;
};
const newDelivery: Make = async (world) => {
  const { json } = await world.provider.api('POST', `/api/Account/TestWebhook?id=${await newWebhook(world)}`);
  return (json as { id: string }).id;
};
let waits = 0;
/** The consumer waits for a day on which nothing is published, another one each time. */
async function wishAnew({ consumer, provider }: RouteWorld): Promise<Wish> {
  return (await wait(consumer, provider, { from: dayAhead(90), to: dayAhead(90 + ++waits) })).json as Wish;
}
const newInvitation: Make = async ({ provider }) => (await invite(provider)).id;
const newWish: Make = async (world) => (await wishAnew(world)).id;

const byKey = (make: Make) => async (world: RouteWorld) => ({ path: `?key=${await make(world)}` });
const ofBooking = byKey(async (world) => keyOf((await bookAnew(world)).link));
const ofWish = byKey(async (world) => keyOf((await wishAnew(world)).link));
/** Of the only wish of the consumer, who then may be held a time: a person holds one of a provider at once. */
const onlyWish: Make = async (world) => {
  for (const { id } of await wishesOf(world.consumer))
    await world.consumer.api('DELETE', `/api/Waitlist/Remove?id=${id}`);
  return newWish(world);
};
/** Of a time that the provider has offered to the consumer, who waits. */
const ofOffer = byKey(async (world) => {
  const id = await onlyWish(world);
  await world.provider.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${await newSlot(world)}`);
  return keyOf((await wishesOf(world.consumer)).find((wish) => wish.id === id)?.offer?.link);
});
const andSlot = (sends: Sends, name: string) => async (world: RouteWorld) => ({
  path: `${(await sends(world)).path}&${name}=${await newSlot(world)}`,
});

const loggedIn: Statuses = [401, 200, 200, 200];
const publishers: Statuses = [401, 403, 200, 200];
const creators: Statuses = [401, 403, 201, 201];
const owners: Statuses = [401, 403, 200, 404];
const removers: Statuses = [401, 403, 204, 404];
const inApi = (rows: ApiCall[]) => rows.map(([method, call, ...more]): ApiCall => [method, `/api/${call}`, ...more]);
const reads = (statuses: Statuses, calls: string[], sent?: Sends) =>
  calls.map((call): ApiCall => ['GET', call, statuses, sent]);

/** Every call of the specification. */
export const calls: ApiCall[] = inApi([
  ...reads([400, 200, 200, 200], ['Account/Profile', 'Account/IsProvider']),
  ...reads(publishers, ['Checkin/GetTemplates', 'Party/GetMy', 'meetup/GetMyMeetups']),
  ...reads(loggedIn, ['Appointment/GetLocations', 'Party/GetAll']),
  ['POST', 'Account/Register', [201, 201, 201, 201], () => ({ body: consumer() })],
  ['POST', 'Account/Login', everyone, ({ rival }) => ({ body: { username: rival.username, password } })],
  ['DELETE', 'Account/Logout', [204, 204, 204, 204]],
  ['POST', 'Appointment/CreateAppointment', creators, () => ({ path: '?len=30', body: publication() })],
  ['GET', 'Appointment/GetPage', loggedIn, query('?q=&page=0')],
  ['GET', 'Appointment/Get', [401, 200, 200, 404], of(bookedId)],
  ['PUT', 'Appointment/Book', [401, 200, 403, 403], ofNew(newSlot)],
  ['PUT', 'Appointment/Cancel', [401, 200, 200, 404], ofNew(newBooking)],
  ...reads(loggedIn, ['Appointment/GetBooked', 'Appointment/GetDash'], query('?page=0')),
  ['GET', 'Appointment/GetProviders', loggedIn, query('?location=Lisbon')],
  ['GET', 'Appointment/GetDates', loggedIn, ofProvider],
  ['POST', 'Checkin/CreateTemplate', creators, () => ({ path: '?templateName=New', body: questions })],
  ['GET', 'Checkin/Get', loggedIn, of(templateId)],
  ['DELETE', 'Checkin/DeleteTemplate', removers, ofNew(newTemplate)],
  ['PUT', 'Checkin/SubmitForm', [401, 200, 404, 404], ofNew(newBooking, '', [{ question: 'Why?', answer: 'Because' }])],
  ['POST', 'Party/CreateParty', creators, () => ({ body: partyDraft() })],
  ['DELETE', 'Party/DeleteParty', removers, ofNew(newParty)],
  ['PUT', 'Party/BookRsvp', [401, 200, 403, 200], of(partyId, '&accepted=true')],
  ['PUT', 'Party/EditParty/{id}', owners, inPath(partyId, { title: 'New' })],
  [
    'PUT',
    'meetup/ChangeRsvp',
    everyone,
    (world) => of(adaId, `&meetupid=${meetupId(world)}&accepted=true&name=Ada`)(world),
  ],
  ['GET', 'meetup/GetParty/{id}', everyone, inPath(partyId)],
  ['GET', 'meetup/GetAttendee/{id}', everyone, inPath(adaId)],
]);

/** Calls that the contract adds. */
export const added: ApiCall[] = inApi([
  ...reads(everyone, ['health']),
  ...reads(loggedIn, ['Account/Sessions', 'Account/Keys', 'Account/Export']),
  ...reads(publishers, ['Account/GetRules', 'Account/GetBusyFeeds', 'Account/GetReminders', 'Appointment/GetHours']),
  ...reads(publishers, ['Service/GetMy', 'Waitlist/GetPage']),
  ...reads([401, 200, 403, 403], ['Waitlist/GetMy']),
  ['POST', 'Account/MakeFeed', [401, 201, 201, 201]],
  ['GET', 'Account/GetNews', loggedIn, query('?page=0')],
  ['DELETE', 'Account/Delete', [401, 400, 400, 400], json({ password: 'Not the password 1' })],
  ['DELETE', 'Account/EndSession', [401, 204, 404, 404], ofNew(newSession)],
  ['POST', 'Account/MakeKey', [401, 201, 201, 201], json({ name: 'Till', scope: 'read', password })],
  ['DELETE', 'Account/EndKey', [401, 204, 404, 404], ofNew(newKey)],
  ...reads(publishers, ['Account/Webhooks']),
  ['POST', 'Account/MakeWebhook', creators, async (world) => endWebhooks(world).then(() => ({ body: webhookWish }))],
  ['PUT', 'Account/EditWebhook', owners, ofNew(newWebhook, '', { kinds: ['moved'] })],
  ['DELETE', 'Account/EndWebhook', removers, ofNew(newWebhook)],
  ['POST', 'Account/TestWebhook', owners, ofNew(newWebhook)],
  ['GET', 'Account/GetDeliveries', owners, of(({ webhook }) => webhook)],
  ['PUT', 'Account/SendAgain', owners, ofNew(newDelivery)],
  ['PUT', 'Account/SetEmail', loggedIn, json({ email: 'reader@example.com', password })],
  ['POST', 'Account/ForgotPassword', [202, 202, 202, 202], json({ username: 'nobody-here' })],
  ['PUT', 'Account/ResetPassword', [400, 400, 400, 400], json({ token: 'not-ours', password })],
  ['POST', 'Account/MakeRecoveryCodes', [401, 201, 201, 201], json({ password })],
  ['POST', 'Account/Guest', [201, 409, 409, 409], json({ displayName: 'Visitor' })],
  ['PUT', 'Account/SetProfile', loggedIn, json({})],
  ['PUT', 'Account/SetRules', publishers, json({ askEmail: 'optional' })],
  ['PUT', 'Account/SetBusyFeeds', publishers, json({ feeds: [] })],
  ['PUT', 'Account/SetReminders', publishers, json({ reminders: [60, 1440] })],
  ['PUT', 'Appointment/Mark', owners, of(({ past }) => past, '&as=seen')],
  ['PUT', 'Appointment/SetHours', publishers, () => ({ path: '?preview=true', body: { hours: [monday] } })],
  ['POST', 'Appointment/BookFor', [401, 403, 201, 404], ofNew(newSlot, '', { displayName: 'Walk-in' })],
  ['PUT', 'Appointment/BookAnyone', [401, 200, 403, 403], atNewStart],
  ['GET', 'Appointment/PreviewSeries', [401, 200, 200, 404], of(openId, `&every=7&until=${dayAhead(20)}`)],
  ['POST', 'Appointment/BookSeries', [401, 201, 400, 400], async (of) => ({ body: { ids: [await newSlot(of)] } })],
  ['PUT', 'Appointment/ChangeOpen', owners, ofNew(newSlot, '&for=slot', { notes: 'Ring twice' })],
  ['PUT', 'Appointment/SetNote', owners, ofNew(newBooking, '', {})],
  ['PUT', 'Appointment/Paid', owners, ofNew(newBooking, '', { paid: true })],
  ['PUT', 'Appointment/NewLink', owners, ofNew(newBooking)],
  ['PUT', 'Appointment/Move', [401, 200, 200, 404], andSlot(ofNew(newBooking), 'to')],
  ['PUT', 'Checkin/EditTemplate', owners, ofNew(newTemplate, '&templateName=N', questions)],
  ['POST', 'meetup/CreateMeetup', creators, () => ({ body: meetupDraft() })],
  ['PUT', 'meetup/EditMeetup/{id}', owners, inPath(meetupId, { title: 'New' })],
  ['DELETE', 'meetup/DeleteMeetup', removers, ofNew(newMeetup)],
  ['POST', 'meetup/AddAttendees', [401, 403, 201, 404], ofNew(newMeetup, '', ['Cem'])],
  ['DELETE', 'meetup/RemoveAttendee', removers, ofNew(newName)],
  ['PUT', 'meetup/ReplaceLink', owners, ofNew(newName)],
  ['PUT', 'meetup/SetAttendeeEmail', owners, ofNew(newName, '', { email: 'ada@example.com' })],
  ['GET', 'People/GetPage', publishers, query('?q=&page=0')],
  ['POST', 'People/Create', creators, json({ name: 'Wanda' })],
  ['POST', 'People/Import', publishers, () => ({ path: '?preview=false', body: csv })],
  ...reads(owners, ['People/Get', 'People/GetStanding'], of(personId)),
  ['PUT', 'People/SetStanding', owners, of(personId, '', [])],
  ['PUT', 'People/Edit', owners, of(personId, '', { note: 'Short at the sides' })],
  ['PUT', 'People/Merge', owners, (world) => ofNew(newPerson, `&into=${world.person}`)(world)],
  ['GET', 'Public/Provider', everyone, ({ provider }) => ({ path: `?username=${provider.username}` })],
  ...reads(everyone, ['Public/Dates', 'Public/Services', 'Public/Slots'], ofProvider),
  ['GET', 'Public/Times', everyone, (world) => ({ path: `${ofProvider(world).path}&service=none` })],
  ['GET', 'Public/Booking', everyone, ofBooking],
  ['PUT', 'Public/CancelBooking', everyone, ofBooking],
  ['PUT', 'Public/MoveBooking', everyone, andSlot(ofBooking, 'to')],
  ['DELETE', 'Public/RemoveWish', [204, 204, 204, 204], ofWish],
  ['PUT', 'Public/TakeOffer', everyone, ofOffer],
  ['PUT', 'Public/PassOffer', [200, 409, 409, 409], ofOffer],
  ['POST', 'Service/Create', creators, () => ({ body: serviceDraft() })],
  ['PUT', 'Service/Edit', owners, ofNew(newService, '', { price: '25 €' })],
  ['PUT', 'Service/Order', owners, async (world) => ({ body: [await newService(world)] })],
  ['PUT', 'Service/Offer', [401, 403, 404, 404], ofNew(newService, '', { username: 'nobody', offered: true })],
  ['DELETE', 'Service/Delete', removers, ofNew(newService)],
  ['POST', 'Shop/Open', [401, 403, 409, 409], ({ shop }) => ({ body: shopDraft({ username: shop }) })],
  ...reads(owners, ['Shop/Get', 'Shop/GetFormer', 'Shop/Invitations']),
  ...reads(owners, ['Shop/GetPast'], ({ former }) => ({ path: `?username=${former.username}` })),
  ['PUT', 'Shop/Edit', owners, json({ phone: '+351 21 123' })],
  ['PUT', 'Shop/SetRules', owners, json({ askEmail: 'optional' })],
  ['PUT', 'Shop/Order', owners, ({ provider }) => ({ body: [provider.username] })],
  [
    'PUT',
    'Shop/SetColleague',
    owners,
    ({ provider }) => ({ path: `?username=${provider.username}`, body: { takes: true } }),
  ],
  ['POST', 'Shop/Invite', [401, 403, 201, 404], json({ role: 'desk' })],
  ['DELETE', 'Shop/Uninvite', removers, ofNew(newInvitation)],
  ['POST', 'Shop/Join', [401, 403, 404, 404], json({ key: 'none' })],
  [
    'POST',
    'Shop/PreviewHandOver',
    owners,
    ({ provider }) => ({ body: { of: provider.username, from: dayAhead(2), to: dayAhead(3) } }),
  ],
  [
    'POST',
    'Shop/HandOver',
    [401, 403, 409, 404],
    ({ provider, booked }) => ({ body: { moves: [{ id: booked.id, to: provider.username }] } }),
  ],
  ['PUT', 'Shop/Leave', [401, 403, 409, 404]],
  ['PUT', 'Shop/Remove', [401, 403, 409, 404], ({ provider }) => ({ path: `?username=${provider.username}` })],
  ['DELETE', 'Shop/Close', [401, 403, 400, 400], json({ password: 'Not the password 1' })],
  ['POST', 'Waitlist/Add', [401, 201, 403, 403], ({ provider }) => ({ body: { provider: provider.username, ...day } })],
  ['DELETE', 'Waitlist/Remove', [401, 204, 204, 404], ofNew(newWish)],
  ['PUT', 'Waitlist/Offer', owners, andSlot(ofNew(onlyWish), 'slotId')],
]);

/** An id in the path is that of nothing. */
export const addressOf = (call: string) => call.replace('{id}', 'none');
