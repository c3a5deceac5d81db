import {
  book,
  dayAhead,
  type Person,
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
import {
  createMeetup,
  createParty,
  linkOf,
  meetupDraft,
  type Party,
  partyDraft,
  publishQuestions,
  rsvp,
} from './party-factories';
import { createService, type Service, serviceDraft } from './services';
import { openEnded } from './template-factories';
import type { Served } from './use-server';
import { visitor } from './visit';

/* Every screen and every call of the product, and its status for each reader. */

/** One of everything, and its readers; the consumer booked the slot and answered the party. */
export type Things = {
  consumer: Person;
  provider: Person;
  rival: Person;
  open: Row;
  booked: Row;
  template: string;
  service: Service;
  party: Party;
  meetup: Party;
  /** An appointment that is over. */
  past: string;
  /** The consumer, as one of the provider's people. */
  person: string;
  /** The path of somebody's feed. */
  feed: string;
  /** The paths of the personal links of the booking, and of a guest's answer to a party. */
  link: string;
  answer: string;
  /** The paths of the links of somebody who waits: of their place in line, and of a time that is held for them. */
  waiting: string;
  offer: string;
};
/** The same in a book, whose provider can publish on a day that nobody has taken yet. */
export type RouteWorld = Things & { newDay: () => string };

const questions = [{ questionText: 'Why?', questionType: openEnded }];

export async function makeRouteWorld(daybook: Served): Promise<RouteWorld> {
  const [consumer, provider, rival] = await Promise.all([
    registerConsumer(daybook),
    registerProvider(daybook),
    registerProvider(daybook),
  ]);
  const template = await publishQuestions(provider, questions);
  const service = await createService(provider, { isOffered: false });
  const [open, booked] = (await publish(provider, { end: '10:00' }, `templateId=${template}`)) as [Row, Row];
  const { json } = await book(consumer, booked);
  const link = (json as Row).link ?? '';
  const [party, meetup] = await Promise.all([createParty(provider), createMeetup(provider)]);
  await rsvp(consumer, party);
  const { id: past } = await writeSlot(daybook.d1, provider, { startsIn: -2000, booker: consumer });
  const [, person = ''] = /\/people\/([\w-]+)/.exec((await provider.browser.get('/people')).text) ?? [];
  const subscriber = await registerConsumer(daybook);
  const { link: feed } = (await subscriber.api('POST', '/api/Account/MakeFeed')).json as { link: string };
  const answered = await rsvp(await newGuest(daybook), await createParty(provider, { openTo: 'anyone' }));
  const answer = (answered.json as { link?: string }).link ?? '';
  const wish = (day: number) => ({ provider: provider.username, from: dayAhead(day), to: dayAhead(day) });
  await consumer.api('POST', '/api/Waitlist/Add', wish(70));
  await consumer.api('POST', '/api/Waitlist/Add', wish(71));
  await provider.api('POST', '/api/Appointment/CreateAppointment', publication({ dates: [dayAhead(71)] }));
  const waits = (await consumer.api('GET', '/api/Waitlist/GetMy')).json as {
    link: string;
    offer: { link: string } | null;
  }[];
  const [waiting, offer] = [waits[0]?.link ?? '', waits[1]?.offer?.link ?? ''];
  let days = 10;
  const newDay = () => {
    days += 1;
    return dayAhead(days);
  };
  return {
    consumer,
    provider,
    rival,
    open,
    booked,
    template,
    service,
    party,
    meetup,
    past,
    person,
    feed,
    link,
    answer,
    waiting,
    offer,
    newDay,
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

export type Screen = [path: string, statuses: Statuses, path: (things: Things) => string];
const at =
  (path: string): ((things: Things) => string) =>
  () =>
    path;

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
export type ApiCall = [
  method: string,
  call: string,
  statuses: Statuses,
  sent?: (world: RouteWorld) => Sent | Promise<Sent>,
];

const id = (value: string, more = ''): Sent => ({ path: `?id=${value}${more}` });
let names = 0;
export const account = () => {
  names += 1;
  return { username: `visitor-${names}`, displayName: 'Visitor', password, role: 'Consumer' };
};
const anyone: Statuses = [200, 200, 200, 200];
const loggedIn: Statuses = [401, 200, 200, 200];
const publishers: Statuses = [401, 403, 200, 200];
const creators: Statuses = [401, 403, 201, 201];
const owners: Statuses = [401, 403, 200, 404];
const removers: Statuses = [401, 403, 204, 404];
/** A slot of the provider on a day of its own, booked by the consumer. */
async function freshBooking({ provider, consumer, template, newDay }: RouteWorld): Promise<Row> {
  const slots = await publish(provider, { dates: [newDay()] }, `templateId=${template}`);
  await book(consumer, slots[0] as Row);
  return slots[0] as Row;
}
/** The key of the personal link of such a booking. */
async function keyOfBooking(world: RouteWorld): Promise<string> {
  const { id: booked } = await freshBooking(world);
  const { json } = await world.consumer.api('GET', `/api/Appointment/Get?id=${booked}`);
  return (json as Row).link?.split('/').at(-1) ?? '';
}
async function freshSlot({ provider, newDay }: RouteWorld): Promise<Row> {
  return publishOne(provider, { dates: [newDay()] });
}

/** The id of a session that this person has in another browser. */
async function otherSessionOf({ username, browser }: Person): Promise<string> {
  const other = visitor(browser.url);
  await other.api('POST', '/api/Account/Login', { username, password });
  const [{ id }] = (await other.api('GET', '/api/Account/Sessions')).json as [{ id: string }];
  return id;
}

/** Every call of the specification. */
export const calls: ApiCall[] = [
  ['POST', '/api/Account/Register', [201, 201, 201, 201], () => ({ body: account() })],
  ['POST', '/api/Account/Login', anyone, ({ rival }) => ({ body: { username: rival.username, password } })],
  ['GET', '/api/Account/Profile', [400, 200, 200, 200]],
  ['DELETE', '/api/Account/Logout', [204, 204, 204, 204]],
  ['GET', '/api/Account/IsProvider', [400, 200, 200, 200]],
  ['POST', '/api/Appointment/CreateAppointment', creators, () => ({ path: '?len=30', body: publication() })],
  ['GET', '/api/Appointment/GetPage', loggedIn, () => ({ path: '?q=&page=0' })],
  ['GET', '/api/Appointment/Get', [401, 200, 200, 404], ({ booked }) => id(booked.id)],
  ['PUT', '/api/Appointment/Book', [401, 200, 403, 403], async (world) => id((await freshSlot(world)).id)],
  ['PUT', '/api/Appointment/Cancel', [401, 200, 200, 404], async (world) => id((await freshBooking(world)).id)],
  ['GET', '/api/Appointment/GetBooked', loggedIn, () => ({ path: '?page=0' })],
  ['GET', '/api/Appointment/GetDash', loggedIn, () => ({ path: '?page=0' })],
  ['GET', '/api/Appointment/GetProviders', loggedIn, () => ({ path: '?location=Lisbon' })],
  ['GET', '/api/Appointment/GetDates', loggedIn, ({ provider }) => ({ path: `?provider=${provider.username}` })],
  ['GET', '/api/Appointment/GetLocations', loggedIn],
  ['GET', '/api/Checkin/GetTemplates', publishers],
  ['POST', '/api/Checkin/CreateTemplate', creators, () => ({ path: '?templateName=New', body: questions })],
  ['GET', '/api/Checkin/Get', loggedIn, ({ template }) => id(template)],
  [
    'DELETE',
    '/api/Checkin/DeleteTemplate',
    removers,
    async ({ provider }) => id(await publishQuestions(provider, questions)),
  ],
  [
    'PUT',
    '/api/Checkin/SubmitForm',
    [401, 200, 404, 404],
    async (world) => ({ ...id((await freshBooking(world)).id), body: [{ question: 'Why?', answer: 'Because' }] }),
  ],
  ['POST', '/api/Party/CreateParty', creators, () => ({ body: partyDraft() })],
  ['DELETE', '/api/Party/DeleteParty', removers, async ({ provider }) => id((await createParty(provider)).id)],
  ['PUT', '/api/Party/BookRsvp', [401, 200, 403, 200], ({ party }) => id(party.id, '&accepted=true')],
  ['GET', '/api/Party/GetMy', publishers],
  ['GET', '/api/Party/GetAll', loggedIn],
  ['PUT', '/api/Party/EditParty/{id}', owners, ({ party }) => ({ path: `/${party.id}`, body: { title: 'New' } })],
  [
    'PUT',
    '/api/meetup/ChangeRsvp',
    anyone,
    ({ meetup }) => id(linkOf(meetup, 'Ada').id, `&meetupid=${meetup.id}&accepted=true&name=Ada`),
  ],
  ['GET', '/api/meetup/GetParty/{id}', anyone, ({ party }) => ({ path: `/${party.id}` })],
  ['GET', '/api/meetup/GetAttendee/{id}', anyone, ({ meetup }) => ({ path: `/${linkOf(meetup, 'Ada').id}` })],
  ['GET', '/api/meetup/GetMyMeetups', publishers],
];

/** Calls that the contract adds. */
export const added: ApiCall[] = [
  ['POST', '/api/Account/MakeFeed', [401, 201, 201, 201]],
  ['PUT', '/api/Appointment/Mark', [401, 403, 200, 404], ({ past }) => id(past, '&as=seen')],
  ['GET', '/api/health', anyone],
  ['GET', '/api/Account/GetNews', loggedIn, () => ({ path: '?page=0' })],
  ['GET', '/api/Account/Sessions', loggedIn],
  ['GET', '/api/Account/Export', loggedIn],
  ['DELETE', '/api/Account/Delete', [401, 400, 400, 400], () => ({ body: { password: 'Not the password 1' } })],
  [
    'DELETE',
    '/api/Account/EndSession',
    [401, 204, 404, 404],
    async ({ consumer }) => id(await otherSessionOf(consumer)),
  ],
  ['PUT', '/api/Account/SetEmail', loggedIn, () => ({ body: { email: 'reader@example.com', password } })],
  ['POST', '/api/Account/ForgotPassword', [202, 202, 202, 202], () => ({ body: { username: 'nobody-here' } })],
  ['PUT', '/api/Account/ResetPassword', [400, 400, 400, 400], () => ({ body: { token: 'not-ours', password } })],
  ['POST', '/api/Account/MakeRecoveryCodes', [401, 201, 201, 201], () => ({ body: { password } })],
  [
    'PUT',
    '/api/Checkin/EditTemplate',
    owners,
    async ({ provider }) => ({
      ...id(await publishQuestions(provider, questions), '&templateName=N'),
      body: questions,
    }),
  ],
  ['POST', '/api/meetup/CreateMeetup', creators, () => ({ body: meetupDraft() })],
  ['PUT', '/api/meetup/EditMeetup/{id}', owners, ({ meetup }) => ({ path: `/${meetup.id}`, body: { title: 'New' } })],
  ['DELETE', '/api/meetup/DeleteMeetup', removers, async ({ provider }) => id((await createMeetup(provider)).id)],
  [
    'POST',
    '/api/meetup/AddAttendees',
    [401, 403, 201, 404],
    async ({ provider }) => ({ ...id((await createMeetup(provider)).id), body: ['Cem'] }),
  ],
  [
    'DELETE',
    '/api/meetup/RemoveAttendee',
    removers,
    async ({ provider }) => id(linkOf(await createMeetup(provider), 'Ada').id),
  ],
  [
    'PUT',
    '/api/meetup/ReplaceLink',
    owners,
    async ({ provider }) => id(linkOf(await createMeetup(provider), 'Ada').id),
  ],
  [
    'PUT',
    '/api/meetup/SetAttendeeEmail',
    owners,
    async ({ provider }) => ({
      ...id(linkOf(await createMeetup(provider), 'Ada').id),
      body: { email: 'ada@example.com' },
    }),
  ],
  [
    'PUT',
    '/api/Appointment/SetHours',
    publishers,
    () => ({ path: '?preview=true', body: { hours: [{ day: 1, start: '09:00', end: '10:00' }] } }),
  ],
  ['GET', '/api/Appointment/GetHours', publishers],
  ['POST', '/api/Account/Guest', [201, 409, 409, 409], () => ({ body: { displayName: 'Visitor' } })],
  ['PUT', '/api/Account/SetProfile', loggedIn, () => ({ body: {} })],
  ['GET', '/api/Account/GetRules', publishers],
  ['PUT', '/api/Account/SetRules', publishers, () => ({ body: { askEmail: 'optional' } })],
  ['GET', '/api/Account/GetBusyFeeds', publishers],
  ['PUT', '/api/Account/SetBusyFeeds', publishers, () => ({ body: { feeds: [] } })],
  ['GET', '/api/Account/GetReminders', publishers],
  ['PUT', '/api/Account/SetReminders', publishers, () => ({ body: { reminders: [60, 1440] } })],
  [
    'POST',
    '/api/Appointment/BookFor',
    [401, 403, 201, 404],
    async (world) => ({ ...id((await freshSlot(world)).id), body: { displayName: 'Walk-in' } }),
  ],
  [
    'GET',
    '/api/Appointment/PreviewSeries',
    [401, 200, 200, 404],
    ({ open }) => id(open.id, `&every=7&until=${dayAhead(20)}`),
  ],
  [
    'POST',
    '/api/Appointment/BookSeries',
    [401, 201, 400, 400],
    async (world) => ({ body: { ids: [(await freshSlot(world)).id] } }),
  ],
  [
    'PUT',
    '/api/Appointment/ChangeOpen',
    owners,
    async (world) => ({ ...id((await freshSlot(world)).id, '&for=slot'), body: { notes: 'Ring twice' } }),
  ],
  ['PUT', '/api/Appointment/SetNote', owners, async (world) => ({ ...id((await freshBooking(world)).id), body: {} })],
  ['PUT', '/api/Appointment/NewLink', owners, async (world) => id((await freshBooking(world)).id)],
  ['GET', '/api/Public/Booking', anyone, async (world) => ({ path: `?key=${await keyOfBooking(world)}` })],
  ['PUT', '/api/Public/CancelBooking', anyone, async (world) => ({ path: `?key=${await keyOfBooking(world)}` })],
  [
    'PUT',
    '/api/Public/MoveBooking',
    anyone,
    async (world) => ({ path: `?key=${await keyOfBooking(world)}&to=${(await freshSlot(world)).id}` }),
  ],
  [
    'PUT',
    '/api/Appointment/Move',
    [401, 200, 200, 404],
    async (world) => id((await freshBooking(world)).id, `&to=${(await freshSlot(world)).id}`),
  ],
  ['GET', '/api/People/GetPage', publishers, () => ({ path: '?q=&page=0' })],
  ['GET', '/api/People/Get', owners, ({ person }) => id(person)],
  ['POST', '/api/People/Create', creators, () => ({ body: { name: 'Wanda' } })],
  [
    'POST',
    '/api/People/Import',
    publishers,
    () => ({ path: '?preview=false', body: new Blob(['Name\nWanda\n'], { type: 'text/csv' }) }),
  ],
  ['GET', '/api/People/GetStanding', owners, ({ person }) => id(person)],
  ['PUT', '/api/People/SetStanding', owners, ({ person }) => ({ ...id(person), body: [] })],
  ['PUT', '/api/People/Edit', owners, ({ person }) => ({ ...id(person), body: { note: 'Short at the sides' } })],
  [
    'PUT',
    '/api/People/Merge',
    owners,
    async ({ provider, person }) => {
      const { json } = await provider.api('POST', '/api/People/Create', { name: 'Wanda' });
      return id((json as { id: string }).id, `&into=${person}`);
    },
  ],
  ['GET', '/api/Public/Provider', anyone, ({ provider }) => ({ path: `?username=${provider.username}` })],
  ['GET', '/api/Public/Dates', anyone, ({ provider }) => ({ path: `?provider=${provider.username}` })],
  ['GET', '/api/Public/Services', anyone, ({ provider }) => ({ path: `?provider=${provider.username}` })],
  ['GET', '/api/Service/GetMy', publishers],
  ['POST', '/api/Service/Create', creators, () => ({ body: serviceDraft() })],
  [
    'PUT',
    '/api/Service/Edit',
    owners,
    async ({ provider }) => ({ ...id((await createService(provider)).id), body: { price: '25 €' } }),
  ],
  ['PUT', '/api/Service/Order', owners, async ({ provider }) => ({ body: [(await createService(provider)).id] })],
  ['DELETE', '/api/Service/Delete', removers, async ({ provider }) => id((await createService(provider)).id)],
  [
    'POST',
    '/api/Waitlist/Add',
    [401, 201, 403, 403],
    ({ provider }) => ({ body: { provider: provider.username, from: dayAhead(80), to: dayAhead(80) } }),
  ],
  ['GET', '/api/Waitlist/GetMy', [401, 200, 403, 403]],
  ['GET', '/api/Waitlist/GetPage', publishers],
  ['DELETE', '/api/Waitlist/Remove', [401, 204, 204, 404], async (world) => id((await freshWish(world)).id)],
  [
    'PUT',
    '/api/Waitlist/Offer',
    owners,
    async (world) => id((await freshWish(world)).id, `&slotId=${(await freshSlot(world)).id}`),
  ],
  [
    'DELETE',
    '/api/Public/RemoveWish',
    [204, 204, 204, 204],
    async (world) => ({ path: `?key=${(await freshWish(world)).link.split('/').at(-1)}` }),
  ],
  ['PUT', '/api/Public/TakeOffer', anyone, async (world) => ({ path: `?key=${await keyOfOffer(world)}` })],
  [
    'PUT',
    '/api/Public/PassOffer',
    [200, 409, 409, 409],
    async (world) => ({ path: `?key=${await keyOfOffer(world)}` }),
  ],
  ['GET', '/api/Public/Slots', anyone, ({ provider }) => ({ path: `?provider=${provider.username}` })],
  ['GET', '/api/Public/Times', anyone, ({ provider }) => ({ path: `?provider=${provider.username}&service=none` })],
];

let waits = 0;
/** The consumer waits for a day on which nothing is published, another one each time. */
async function freshWish({ consumer, provider }: RouteWorld): Promise<{ id: string; link: string }> {
  const wish = { provider: provider.username, from: dayAhead(90), to: dayAhead(90 + ++waits) };
  return (await consumer.api('POST', '/api/Waitlist/Add', wish)).json as { id: string; link: string };
}
/** The key of a time that their provider has offered them. */
async function keyOfOffer(world: RouteWorld): Promise<string> {
  const { id } = await freshWish(world);
  await world.provider.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${(await freshSlot(world)).id}`);
  const wishes = (await world.consumer.api('GET', '/api/Waitlist/GetMy')).json as {
    id: string;
    offer: { link: string };
  }[];
  return (
    wishes
      .find((wish) => wish.id === id)
      ?.offer.link.split('/')
      .at(-1) ?? ''
  );
}

/** An id in the path is that of nothing. */
export const addressOf = (call: string) => call.replace('{id}', 'none');
