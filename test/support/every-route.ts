import {
  book,
  dayAhead,
  password,
  publication,
  publish,
  publishOne,
  type Row,
  registerConsumer,
  registerProvider,
  writeSlot,
} from './factories';
import { newGuest } from './guests';
import { createMeetup, createParty, linkOf, meetupDraft, partyDraft, publishQuestions, rsvp } from './party-factories';
import { createService, serviceDraft } from './services';
import { openEnded } from './template-factories';
import type { Served } from './use-server';
import { visitor } from './visit';
import { keyOf, type Wish, wishesOf } from './waitlist';

/* Every screen and every call of the product, and its status for each reader. */

const questions = [{ questionText: 'Why?', questionType: openEnded }];

export type RouteWorld = Awaited<ReturnType<typeof makeRouteWorld>>;

/** One of everything, and its readers; the consumer booked the slot and answered the party. */
export async function makeRouteWorld(daybook: Served) {
  const [consumer, provider, rival] = await Promise.all([
    registerConsumer(daybook),
    registerProvider(daybook),
    registerProvider(daybook),
  ]);
  const template = await publishQuestions(provider, questions);
  const service = await createService(provider, { isOffered: false });
  const [open, booked] = (await publish(provider, { end: '10:00' }, `templateId=${template}`)) as [Row, Row];
  const { link } = (await book(consumer, booked)).json as Row;
  const [party, meetup] = await Promise.all([createParty(provider), createMeetup(provider)]);
  await rsvp(consumer, party);
  const { id: past } = await writeSlot(daybook.d1, provider, { startsIn: -2000, booker: consumer });
  const [, person = ''] = /\/people\/([\w-]+)/.exec((await provider.browser.get('/people')).text) ?? [];
  const subscriber = await registerConsumer(daybook);
  const { link: feed } = (await subscriber.api('POST', '/api/Account/MakeFeed')).json as { link: string };
  const answered = await rsvp(await newGuest(daybook), await createParty(provider, { openTo: 'anyone' }));
  const wish = (day: number) => ({ provider: provider.username, from: dayAhead(day), to: dayAhead(day) });
  await consumer.api('POST', '/api/Waitlist/Add', wish(70));
  await consumer.api('POST', '/api/Waitlist/Add', wish(71));
  await provider.api('POST', '/api/Appointment/CreateAppointment', publication({ dates: [dayAhead(71)] }));
  const [inLine, offered] = await wishesOf(consumer);
  let days = 10;
  return {
    ...{ consumer, provider, rival, open, booked, template, service, party, meetup },
    /** An appointment that is over. */
    past,
    /** The consumer, as one of the provider's people. */
    person,
    /** The path of somebody's feed. */
    feed,
    /** The paths of the personal links of the booking, and of a guest's answer to a party. */
    link: link ?? '',
    answer: (answered.json as { link?: string }).link ?? '',
    /** The paths of the links of somebody who waits: of their place in line, and of a time that is held for them. */
    waiting: inLine?.link ?? '',
    offer: offered?.offer?.link ?? '',
    /** A day on which the provider has published nothing yet. */
    newDay() {
      days += 1;
      return dayAhead(days);
    },
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

export type Screen = [path: string, statuses: Statuses, path: (world: RouteWorld) => string];
const at = (path: string) => () => path;

/** Every screen of the specification. */
export const screens: Screen[] = [
  ['/', everyone, at('/')],
  ['/register', everyone, at('/register')],
  ['/login', everyone, at('/login')],
  ['/logout', everyone, at('/logout')],
  ['/not-logged-in', everyone, at('/not-logged-in')],
  ['/profile', members, at('/profile')],
  ['/create', providers, at('/create')],
  ['/create-template', providers, at('/create-template')],
  ['/view', consumers, at('/view')],
  ['/view-booked', members, at('/view-booked')],
  ['/view-dash', members, at('/view-dash')],
  ['/view-templates', providers, at('/view-templates')],
  ['/details/:id', consumers, ({ open }) => `/details/${open.id}`],
  ['/details-provider/:id', owner, ({ booked }) => `/details-provider/${booked.id}`],
  ['/view-provider/:id', owner, ({ booked }) => `/view-provider/${booked.id}`],
  ['/details-cancel/:id', consumers, ({ booked }) => `/details-cancel/${booked.id}`],
  ['/details-template/:id', owner, ({ template }) => `/details-template/${template}`],
  ['/party/:id', everyone, ({ party }) => `/party/${party.id}`],
  ['/create-party', providers, at('/create-party')],
  ['/view-parties', providers, at('/view-parties')],
  ['/view-party/:id', owner, ({ party }) => `/view-party/${party.id}`],
  ['/edit-party/:id', owner, ({ party }) => `/edit-party/${party.id}`],
  ['/manage-meetup/:id', owner, ({ meetup }) => `/manage-meetup/${meetup.id}`],
  ['/meetup-rsvp/:id', everyone, ({ meetup }) => `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`],
  ['/view-meetups', providers, at('/view-meetups')],
];

/** Screens beside those of the specification. */
export const more: Screen[] = [
  ['/move/:id/:to?', [302, 200, 200, 404], ({ booked }) => `/move/${booked.id}`],
  ['/booking/:key/move/:to?', nobody, at('/booking/none/move')],
  ['/again/:id', [302, 200, 200, 404], ({ booked }) => `/again/${booked.id}`],
  ['/booking/:key/again', nobody, at('/booking/none/again')],
  ['/rules', providers, at('/rules')],
  ['/your-page', providers, at('/your-page')],
  ['/services', providers, at('/services')],
  ['/services/:id', owner, ({ service }) => `/services/${service.id}`],
  ['/accessibility', everyone, at('/accessibility')],
  ['/view-open', providers, at('/view-open')],
  ['/hours', providers, at('/hours')],
  ['/other-calendars', providers, at('/other-calendars')],
  ['/edit-template/:id', owner, ({ template }) => `/edit-template/${template}`],
  ['/repeat/:id', owner, ({ party }) => `/repeat/${party.id}`],
  ['/invitations', members, at('/invitations')],
  ['/appointments/:id/daybook.ics', [302, 200, 200, 404], ({ booked }) => `/appointments/${booked.id}/daybook.ics`],
  ['/party/:id/daybook.ics', everyone, ({ party }) => `/party/${party.id}/daybook.ics`],
  ['/meetup-rsvp/:id/daybook.ics', everyone, ({ meetup }) => `/meetup-rsvp/${linkOf(meetup, 'Ada').id}/daybook.ics`],
  ['/view-booked/bookings.csv', providers, at('/view-booked/bookings.csv')],
  ['/view-party/:id/guests.csv', owner, ({ party }) => `/view-party/${party.id}/guests.csv`],
  ['/manage-meetup/:id/attendees.csv', owner, ({ meetup }) => `/manage-meetup/${meetup.id}/attendees.csv`],
  ['/calendar/:feed', everyone, ({ feed }) => feed],
  ['/calendar', members, at('/calendar')],
  ['/people/people.csv', providers, at('/people/people.csv')],
  ['/people/import', providers, at('/people/import')],
  ['/people/:id/book', owner, ({ person }) => `/people/${person}/book`],
  ['/people/:id/standing', owner, ({ person }) => `/people/${person}/standing`],
  ['/people/:id/merge', owner, ({ person }) => `/people/${person}/merge`],
  ['/week', members, at('/week')],
  ['/day', providers, at('/day')],
  ['/people', providers, at('/people')],
  ['/people/:id', owner, ({ person }) => `/people/${person}`],
  ['/api', everyone, at('/api')],
  ['/news', members, at('/news')],
  ['/not-me/:token', nobody, at('/not-me/not-ours')],
  ['/unsubscribe/:token', nobody, at('/unsubscribe/not-ours')],
  ['/forgot-password', everyone, at('/forgot-password')],
  ['/reset-password/:token?', everyone, at('/reset-password')],
  ['/email', members, at('/email')],
  ['/confirm-email/:token', nobody, at('/confirm-email/not-ours')],
  ['/recovery-codes', members, at('/recovery-codes')],
  ['/second-factor', members, at('/second-factor')],
  ['/login/code', everyone, at('/login/code')],
  ['/with/:username/:id', everyone, ({ provider, open }) => `/with/${provider.username}/${open.id}`],
  ['/claim', everyone, at('/claim')],
  ['/with/:username/wait', everyone, ({ provider }) => `/with/${provider.username}/wait`],
  ['/waitlist', members, at('/waitlist')],
  ['/waiting/:key', everyone, ({ waiting }) => waiting],
  ['/offer/:key', everyone, ({ offer }) => offer],
  ['/answer/:key', everyone, ({ answer }) => answer],
  ['/answer/:key/daybook.ics', everyone, ({ answer }) => `${answer}/daybook.ics`],
  ['/booking/:key', everyone, ({ link }) => link],
  ['/booking/:key/daybook.ics', everyone, ({ link }) => `${link}/daybook.ics`],
  ['/your-data', members, at('/your-data')],
  ['/your-data/daybook.json', members, at('/your-data/daybook.json')],
  ['/devices', members, at('/devices')],
  ['/with/:username', everyone, ({ provider }) => `/with/${provider.username}`],
];

/** A file to download, not a page. */
export const isFile = (path: string) => /\.(ics|csv|json)$|:feed$/.test(path);

/** The valid input of a call. */
type Sent = { path?: string; body?: unknown };
type Sends = (world: RouteWorld) => Sent | Promise<Sent>;
export type ApiCall = [method: string, call: string, statuses: Statuses, sent?: Sends];

const query = (path: string) => (): Sent => ({ path });
const json = (body: unknown) => (): Sent => ({ body });
const ofProvider = ({ provider }: RouteWorld): Sent => ({ path: `?provider=${provider.username}` });
/** Names a thing by its id, which is there already or is made for it. */
const of =
  (idOf: (world: RouteWorld) => string, more = '', body?: unknown) =>
  (world: RouteWorld): Sent => ({ path: `?id=${idOf(world)}${more}`, body });
const ofNew =
  (make: (world: RouteWorld) => Promise<string>, more = '', body?: unknown) =>
  async (world: RouteWorld): Promise<Sent> => ({ path: `?id=${await make(world)}${more}`, body });

let names = 0;
export const account = () => {
  names += 1;
  return { username: `visitor-${names}`, displayName: 'Visitor', password, role: 'Consumer' };
};
const newTemplate = ({ provider }: RouteWorld) => publishQuestions(provider, questions);
const newParty = async ({ provider }: RouteWorld) => (await createParty(provider)).id;
const newMeetup = async ({ provider }: RouteWorld) => (await createMeetup(provider)).id;
const newName = async ({ provider }: RouteWorld) => linkOf(await createMeetup(provider), 'Ada').id;
const newService = async ({ provider }: RouteWorld) => (await createService(provider)).id;
const newSlot = async ({ provider, newDay }: RouteWorld) => (await publishOne(provider, { dates: [newDay()] })).id;
const newPerson = async ({ provider }: RouteWorld) =>
  ((await provider.api('POST', '/api/People/Create', { name: 'Wanda' })).json as { id: string }).id;
/** Of a slot of the provider on a day of its own, booked by the consumer. */
async function newBooking({ provider, consumer, template, newDay }: RouteWorld): Promise<string> {
  const [slot] = await publish(provider, { dates: [newDay()] }, `templateId=${template}`);
  await book(consumer, slot as Row);
  return slot?.id ?? '';
}
/** Of a session that the consumer has in another browser. */
async function newSession({ consumer: { username, browser } }: RouteWorld): Promise<string> {
  const other = visitor(browser.url);
  await other.api('POST', '/api/Account/Login', { username, password });
  const [{ id }] = (await other.api('GET', '/api/Account/Sessions')).json as [{ id: string }];
  return id;
}
let waits = 0;
/** The consumer waits for a day on which nothing is published, another one each time. */
async function wishAnew({ consumer, provider }: RouteWorld): Promise<Wish> {
  const wish = { provider: provider.username, from: dayAhead(90), to: dayAhead(90 + ++waits) };
  return (await consumer.api('POST', '/api/Waitlist/Add', wish)).json as Wish;
}
const newWish = async (world: RouteWorld) => (await wishAnew(world)).id;

const keyOfBooking = async (world: RouteWorld): Promise<string> => {
  const { json } = await world.consumer.api('GET', `/api/Appointment/Get?id=${await newBooking(world)}`);
  return keyOf((json as Row).link);
};
const keyOfWish = async (world: RouteWorld) => keyOf((await wishAnew(world)).link);
/** The key of a time that their provider has offered to somebody who waits. */
const keyOfOffer = async (world: RouteWorld): Promise<string> => {
  const id = await newWish(world);
  await world.provider.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${await newSlot(world)}`);
  return keyOf((await wishesOf(world.consumer)).find((wish) => wish.id === id)?.offer?.link);
};
const byKey = (keyOf: (world: RouteWorld) => Promise<string>) => async (world: RouteWorld) => ({
  path: `?key=${await keyOf(world)}`,
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

/** Every call of the specification. */
export const calls: ApiCall[] = inApi([
  ['POST', 'Account/Register', [201, 201, 201, 201], () => ({ body: account() })],
  ['POST', 'Account/Login', everyone, ({ rival }) => ({ body: { username: rival.username, password } })],
  ['GET', 'Account/Profile', [400, 200, 200, 200]],
  ['DELETE', 'Account/Logout', [204, 204, 204, 204]],
  ['GET', 'Account/IsProvider', [400, 200, 200, 200]],
  ['POST', 'Appointment/CreateAppointment', creators, () => ({ path: '?len=30', body: publication() })],
  ['GET', 'Appointment/GetPage', loggedIn, query('?q=&page=0')],
  ['GET', 'Appointment/Get', [401, 200, 200, 404], of(({ booked }) => booked.id)],
  ['PUT', 'Appointment/Book', [401, 200, 403, 403], ofNew(newSlot)],
  ['PUT', 'Appointment/Cancel', [401, 200, 200, 404], ofNew(newBooking)],
  ['GET', 'Appointment/GetBooked', loggedIn, query('?page=0')],
  ['GET', 'Appointment/GetDash', loggedIn, query('?page=0')],
  ['GET', 'Appointment/GetProviders', loggedIn, query('?location=Lisbon')],
  ['GET', 'Appointment/GetDates', loggedIn, ofProvider],
  ['GET', 'Appointment/GetLocations', loggedIn],
  ['GET', 'Checkin/GetTemplates', publishers],
  ['POST', 'Checkin/CreateTemplate', creators, () => ({ path: '?templateName=New', body: questions })],
  ['GET', 'Checkin/Get', loggedIn, of(({ template }) => template)],
  ['DELETE', 'Checkin/DeleteTemplate', removers, ofNew(newTemplate)],
  ['PUT', 'Checkin/SubmitForm', [401, 200, 404, 404], ofNew(newBooking, '', [{ question: 'Why?', answer: 'Because' }])],
  ['POST', 'Party/CreateParty', creators, () => ({ body: partyDraft() })],
  ['DELETE', 'Party/DeleteParty', removers, ofNew(newParty)],
  ['PUT', 'Party/BookRsvp', [401, 200, 403, 200], of(({ party }) => party.id, '&accepted=true')],
  ['GET', 'Party/GetMy', publishers],
  ['GET', 'Party/GetAll', loggedIn],
  ['PUT', 'Party/EditParty/{id}', owners, ({ party }) => ({ path: `/${party.id}`, body: { title: 'New' } })],
  [
    'PUT',
    'meetup/ChangeRsvp',
    everyone,
    ({ meetup }) => ({ path: `?id=${linkOf(meetup, 'Ada').id}&meetupid=${meetup.id}&accepted=true&name=Ada` }),
  ],
  ['GET', 'meetup/GetParty/{id}', everyone, ({ party }) => ({ path: `/${party.id}` })],
  ['GET', 'meetup/GetAttendee/{id}', everyone, ({ meetup }) => ({ path: `/${linkOf(meetup, 'Ada').id}` })],
  ['GET', 'meetup/GetMyMeetups', publishers],
]);

/** Calls that the contract adds. */
export const added: ApiCall[] = inApi([
  ['POST', 'Account/MakeFeed', [401, 201, 201, 201]],
  ['PUT', 'Appointment/Mark', [401, 403, 200, 404], of(({ past }) => past, '&as=seen')],
  ['GET', 'health', everyone],
  ['GET', 'Account/GetNews', loggedIn, query('?page=0')],
  ['GET', 'Account/Sessions', loggedIn],
  ['GET', 'Account/Export', loggedIn],
  ['DELETE', 'Account/Delete', [401, 400, 400, 400], json({ password: 'Not the password 1' })],
  ['DELETE', 'Account/EndSession', [401, 204, 404, 404], ofNew(newSession)],
  ['PUT', 'Account/SetEmail', loggedIn, json({ email: 'reader@example.com', password })],
  ['POST', 'Account/ForgotPassword', [202, 202, 202, 202], json({ username: 'nobody-here' })],
  ['PUT', 'Account/ResetPassword', [400, 400, 400, 400], json({ token: 'not-ours', password })],
  ['POST', 'Account/MakeRecoveryCodes', [401, 201, 201, 201], json({ password })],
  ['PUT', 'Checkin/EditTemplate', owners, ofNew(newTemplate, '&templateName=N', questions)],
  ['POST', 'meetup/CreateMeetup', creators, () => ({ body: meetupDraft() })],
  ['PUT', 'meetup/EditMeetup/{id}', owners, ({ meetup }) => ({ path: `/${meetup.id}`, body: { title: 'New' } })],
  ['DELETE', 'meetup/DeleteMeetup', removers, ofNew(newMeetup)],
  ['POST', 'meetup/AddAttendees', [401, 403, 201, 404], ofNew(newMeetup, '', ['Cem'])],
  ['DELETE', 'meetup/RemoveAttendee', removers, ofNew(newName)],
  ['PUT', 'meetup/ReplaceLink', owners, ofNew(newName)],
  ['PUT', 'meetup/SetAttendeeEmail', owners, ofNew(newName, '', { email: 'ada@example.com' })],
  [
    'PUT',
    'Appointment/SetHours',
    publishers,
    () => ({ path: '?preview=true', body: { hours: [{ day: 1, start: '09:00', end: '10:00' }] } }),
  ],
  ['GET', 'Appointment/GetHours', publishers],
  ['POST', 'Account/Guest', [201, 409, 409, 409], json({ displayName: 'Visitor' })],
  ['PUT', 'Account/SetProfile', loggedIn, json({})],
  ['GET', 'Account/GetRules', publishers],
  ['PUT', 'Account/SetRules', publishers, json({ askEmail: 'optional' })],
  ['GET', 'Account/GetBusyFeeds', publishers],
  ['PUT', 'Account/SetBusyFeeds', publishers, json({ feeds: [] })],
  ['GET', 'Account/GetReminders', publishers],
  ['PUT', 'Account/SetReminders', publishers, json({ reminders: [60, 1440] })],
  ['POST', 'Appointment/BookFor', [401, 403, 201, 404], ofNew(newSlot, '', { displayName: 'Walk-in' })],
  [
    'GET',
    'Appointment/PreviewSeries',
    [401, 200, 200, 404],
    of(({ open }) => open.id, `&every=7&until=${dayAhead(20)}`),
  ],
  [
    'POST',
    'Appointment/BookSeries',
    [401, 201, 400, 400],
    async (world) => ({ body: { ids: [await newSlot(world)] } }),
  ],
  ['PUT', 'Appointment/ChangeOpen', owners, ofNew(newSlot, '&for=slot', { notes: 'Ring twice' })],
  ['PUT', 'Appointment/SetNote', owners, ofNew(newBooking, '', {})],
  ['PUT', 'Appointment/NewLink', owners, ofNew(newBooking)],
  ['GET', 'Public/Booking', everyone, byKey(keyOfBooking)],
  ['PUT', 'Public/CancelBooking', everyone, byKey(keyOfBooking)],
  ['PUT', 'Public/MoveBooking', everyone, andSlot(byKey(keyOfBooking), 'to')],
  ['PUT', 'Appointment/Move', [401, 200, 200, 404], andSlot(ofNew(newBooking), 'to')],
  ['GET', 'People/GetPage', publishers, query('?q=&page=0')],
  ['GET', 'People/Get', owners, of(({ person }) => person)],
  ['POST', 'People/Create', creators, json({ name: 'Wanda' })],
  [
    'POST',
    'People/Import',
    publishers,
    () => ({ path: '?preview=false', body: new Blob(['Name\nWanda\n'], { type: 'text/csv' }) }),
  ],
  ['GET', 'People/GetStanding', owners, of(({ person }) => person)],
  ['PUT', 'People/SetStanding', owners, of(({ person }) => person, '', [])],
  ['PUT', 'People/Edit', owners, of(({ person }) => person, '', { note: 'Short at the sides' })],
  ['PUT', 'People/Merge', owners, (world) => ofNew(newPerson, `&into=${world.person}`)(world)],
  ['GET', 'Public/Provider', everyone, ({ provider }) => ({ path: `?username=${provider.username}` })],
  ['GET', 'Public/Dates', everyone, ofProvider],
  ['GET', 'Public/Services', everyone, ofProvider],
  ['GET', 'Service/GetMy', publishers],
  ['POST', 'Service/Create', creators, () => ({ body: serviceDraft() })],
  ['PUT', 'Service/Edit', owners, ofNew(newService, '', { price: '25 €' })],
  ['PUT', 'Service/Order', owners, async (world) => ({ body: [await newService(world)] })],
  ['DELETE', 'Service/Delete', removers, ofNew(newService)],
  [
    'POST',
    'Waitlist/Add',
    [401, 201, 403, 403],
    ({ provider }) => ({ body: { provider: provider.username, from: dayAhead(80), to: dayAhead(80) } }),
  ],
  ['GET', 'Waitlist/GetMy', [401, 200, 403, 403]],
  ['GET', 'Waitlist/GetPage', publishers],
  ['DELETE', 'Waitlist/Remove', [401, 204, 204, 404], ofNew(newWish)],
  ['PUT', 'Waitlist/Offer', owners, andSlot(ofNew(newWish), 'slotId')],
  ['DELETE', 'Public/RemoveWish', [204, 204, 204, 204], byKey(keyOfWish)],
  ['PUT', 'Public/TakeOffer', everyone, byKey(keyOfOffer)],
  ['PUT', 'Public/PassOffer', [200, 409, 409, 409], byKey(keyOfOffer)],
  ['GET', 'Public/Slots', everyone, ofProvider],
  ['GET', 'Public/Times', everyone, ({ provider }) => ({ path: `?provider=${provider.username}&service=none` })],
]);

/** An id in the path is that of nothing. */
export const addressOf = (call: string) => call.replace('{id}', 'none');
