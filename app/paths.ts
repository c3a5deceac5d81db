/* Every address that a screen, a redirect or a mail leads to. The file behind each is in routes.ts. */

type Value = string | number;
export type Query = Record<string, Value | string[] | null | undefined>;

/** Makes an address. It leaves out null and undefined values. */
function address(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((word) => `${name}=${encodeURIComponent(word)}`),
  );
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
}

const page = (path: string) => (query?: Query) => address(path, query);

/** Makes the function for the pages of a kind. @param name an id, a username, a key or a token */
const pageOf =
  (start: string, end = '') =>
  (name: string, query?: Query) =>
    address(`${start}/${encodeURIComponent(name)}${end}`, query);

export const home = page('/');

export const register = page('/register');
export const login = page('/login');
export const loginCode = page('/login/code');
export const logout = page('/logout');
export const profile = page('/profile');
export const forgotPassword = page('/forgot-password');
export const resetPassword = page('/reset-password');
export const resetPasswordBy = pageOf('/reset-password');
export const email = page('/email');
export const confirmEmail = pageOf('/confirm-email');
export const yourData = page('/your-data');
export const yourDataFile = page('/your-data/daybook.json');
export const devices = page('/devices');
export const keys = page('/keys');
export const webhooks = page('/webhooks');
export const webhook = pageOf('/webhooks');
export const secondFactor = page('/second-factor');
export const recoveryCodes = page('/recovery-codes');
export const accessibility = page('/accessibility');
export const notLoggedIn = page('/not-logged-in');

export const apiPage = page('/api');

// Pages of clients.
export const search = page('/view');
export const book = pageOf('/details');
export const appointment = pageOf('/details-cancel');
export const move = pageOf('/move');
export const moveTo = (id: string, timeId: string, query?: Query) => pageOf(move(id))(timeId, query);
export const again = pageOf('/again');
export const appointmentFile = pageOf('/appointments', '/daybook.ics');
export const provider = pageOf('/with');
export const examplePage = page('/with');
export const bookWith = (username: string, slotId: string, query?: Query) => pageOf(provider(username))(slotId, query);
/** @param start an instant as machines write it */
export const bookAnyone = (shop: string, start: string, query?: Query) => pageOf(`${provider(shop)}/at`)(start, query);
/** The dates of a series with one of them. */
export const seriesWithAnyone = (shop: string, start: string, query?: Query) =>
  pageOf(`${provider(shop)}/at`, '/again')(start, query);
export const waitFor = pageOf('/with', '/wait');

// Pages opened by a personal link or a code on paper.
export const booking = pageOf('/booking');
export const bookingFile = pageOf('/booking', '/daybook.ics');
export const moveBooking = pageOf('/booking', '/move');
export const moveBookingTo = (key: string, timeId: string) => pageOf(moveBooking(key))(timeId);
export const bookingAgain = pageOf('/booking', '/again');
export const waiting = pageOf('/waiting');
export const offer = pageOf('/offer');
export const join = pageOf('/join');
export const lostLink = page('/lost-link');
export const paperCode = page('/claim');
export const rsvp = pageOf('/answer');
export const rsvpFile = pageOf('/answer', '/daybook.ics');
export const unsubscribe = pageOf('/unsubscribe');
export const notMe = pageOf('/not-me');

// Pages of providers.
export const createTimes = page('/create');
export const freeTimes = page('/view-open');
export const booked = page('/view-booked');
export const bookedFile = page('/view-booked/bookings.csv');
export const bookedAndCanceled = page('/view-dash');
export const providerDetails = pageOf('/details-provider');
export const providerView = pageOf('/view-provider');
export const services = page('/services');
export const service = pageOf('/services');
export const hours = page('/hours');
export const rules = page('/rules');
export const yourPage = page('/your-page');
export const shop = page('/shop');
export const shopDay = page('/shop/day');
/** Where the appointments of a colleague who is ill go to others. */
export const handOver = page('/shop/hand-over');
/** Who has left the shop, and the appointments that one of them had there. */
export const formerColleagues = page('/shop/former');
export const pastOfFormer = pageOf('/shop/former');
export const shopRules = page('/shop/rules');
export const waitlist = page('/waitlist');

export const people = page('/people');
export const peopleFile = page('/people/people.csv');
export const importPeople = page('/people/import');
export const person = pageOf('/people');
export const bookAt = page('/book-at');
export const bookForPerson = pageOf('/people', '/book');
export const standingTimes = pageOf('/people', '/standing');
export const mergePerson = pageOf('/people', '/merge');

export const templates = page('/view-templates');
export const createTemplate = page('/create-template');
export const template = pageOf('/details-template');
export const editTemplate = pageOf('/edit-template');

export const parties = page('/view-parties');
export const createParty = page('/create-party');
export const party = pageOf('/party');
export const partyFile = pageOf('/party', '/daybook.ics');
export const manageParty = pageOf('/view-party');
export const partyGuests = pageOf('/view-party', '/guests.csv');
export const editParty = pageOf('/edit-party');
export const repeat = pageOf('/repeat');
export const invitations = page('/invitations');

export const meetups = page('/view-meetups');
export const meetup = pageOf('/meetup-rsvp');
export const meetupFile = pageOf('/meetup-rsvp', '/daybook.ics');
export const manageMeetup = pageOf('/manage-meetup');
export const attendees = pageOf('/manage-meetup', '/attendees.csv');

export const week = page('/week');
export const day = page('/day');
export const otherCalendars = page('/other-calendars');
export const feeds = page('/calendar');
export const feed = pageOf('/calendar', '.ics');
export const news = page('/news');
