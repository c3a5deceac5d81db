import type { Page } from 'playwright-core';
import { book, cancel, password } from '../support/factories';
import { arrive, button, press, see } from './browser';
import { chooseDays, dayOf, wire } from './calendar';
import { city, type LookWorld } from './look-world';

export type Screen = {
  name: string;
  path: string | ((world: LookWorld) => string);
  /** What is done there before it is looked at. */
  act?: (page: Page, world: LookWorld) => Promise<unknown>;
  /** Where the answer is an error, its status. */
  status?: number;
  /** The id of what scripts lead the reader to, once they have taken over what `act` has asked for. */
  focused?: string;
};
export type Who = 'provider' | 'consumer' | 'newProvider' | 'newConsumer' | 'nobody';

export const unfold = (page: Page) =>
  page.locator('details').evaluateAll((all) => all.map((one) => one.setAttribute('open', '')));

/** The form is sent, and has come back with what is wrong. */
const refused = (name: string | RegExp) => async (page: Page) => {
  await press(page, name);
  await see(page, 'There is a problem');
};

/** Every screen of the product, by who sees it; the menu and its drawer have tests of their own. */
export const screens: Record<Who, Screen[]> = {
  nobody: [
    { name: 'the landing page', path: '/', act: unfold },
    { name: 'registration', path: '/register', act: (page) => page.getByRole('radio', { name: 'Provider' }).check() },
    {
      name: 'a refused registration',
      path: '/register',
      status: 400,
      async act(page) {
        await press(page, 'Register');
        await button(page, 'Close').last().focus();
      },
    },
    { name: 'login', path: '/login' },
    { name: 'not logged in', path: '/not-logged-in?to=%2Fview' },
    { name: 'a code without its password', path: '/login/code' },
    { name: 'a lost password', path: '/forgot-password' },
    { name: 'a new password by a code', path: '/reset-password' },
    { name: 'a new password by a link', path: ({ reset }) => reset },
    { name: 'an address to be confirmed', path: ({ confirm }) => confirm },
    { name: 'an address that is confirmed', path: ({ confirmed }) => confirmed },
    { name: 'the end of mails', path: ({ unsubscribe }) => unsubscribe },
    { name: 'this was not me', path: ({ notMe }) => notMe },
    { name: 'accessibility', path: '/accessibility' },
    { name: 'logout', path: '/logout' },
    { name: "the API's page", path: '/api' },
    { name: 'a page that is not there', path: '/nowhere', status: 404 },
    { name: "a provider's page", path: ({ provider }) => `/with/${provider.username}` },
    { name: 'the form of a time', path: ({ provider, slots }) => `/with/${provider.username}/${slots.asking.id}` },
    {
      name: 'a refused booking',
      path: ({ provider, slots }) => `/with/${provider.username}/${slots.asking.id}`,
      status: 400,
      act: refused('Book'),
    },
    {
      name: 'a time that is gone',
      path: ({ provider, slots }) => `/with/${provider.username}/${slots.taken.id}`,
      status: 409,
    },
    { name: 'a code from paper', path: '/claim' },
    { name: 'the form of who waits', path: ({ provider }) => `/with/${provider.username}/wait` },
    { name: 'a place in line', path: ({ waiting }) => waiting },
    { name: 'a time that is held', path: ({ offer }) => offer },
    { name: 'a personal link', path: ({ link }) => link },
    { name: 'the same time again, by a personal link', path: ({ link }) => `${link}/again` },
    { name: 'days to move a booking to', path: ({ link }) => `${link}/move` },
    { name: 'a booking about to be moved', path: ({ link, slots }) => `${link}/move/${slots.asking.id}` },
    {
      name: 'a refused move',
      path: ({ link, slots }) => `${link}/move/${slots.asking.id}`,
      status: 400,
      act: refused('Move it'),
    },
    { name: 'an invitation to a party', path: ({ party }) => `/party/${party}` },
    { name: 'the link of an answer', path: ({ answer }) => answer },
    { name: 'a party that was called off', path: ({ calledOff }) => calledOff, status: 404 },
    { name: 'an invitation to a meetup', path: ({ meetup }) => `/meetup-rsvp/${meetup.open}` },
    { name: 'an invitation that is not ours', path: '/meetup-rsvp/x', status: 400 },
    // The last one, because the browser then has the password of a login.
    {
      name: 'the code of a login',
      path: '/login',
      async act(page, { newConsumer }) {
        await page.getByLabel('Username').fill(newConsumer.username);
        await page.getByLabel('Password', { exact: true }).fill(password);
        await press(page, 'Log in');
        await arrive(page, '/login/code');
        await see(page, 'Your password is right.');
      },
    },
  ],
  provider: [
    { name: 'home', path: '/' },
    { name: 'who waits', path: '/waitlist', act: unfold },
    { name: 'profile', path: '/profile', act: unfold },
    { name: 'create', path: '/create', act: (page) => chooseDays(page, dayOf(2, 1), dayOf(1, 1)) },
    { name: 'a refused publication', path: '/create', status: 400, act: refused('Create appointments') },
    { name: 'open slots', path: '/view-open' },
    { name: 'the week', path: '/week' },
    { name: 'the week as a list', path: '/week?as=list' },
    { name: 'the day sheet', path: '/day' },
    { name: 'people', path: '/people' },
    { name: 'people to bring along', path: '/people/import' },
    { name: 'one of the people', path: ({ person }) => person, act: unfold },
    { name: 'times for one of the people', path: ({ person }) => `${person}/book` },
    { name: 'standing times of one of the people', path: ({ person }) => `${person}/standing` },
    { name: 'one of the people to be merged', path: ({ person }) => `${person}/merge?q=a` },
    { name: 'times to move a booking to', path: ({ slots }) => `/move/${slots.booked.id}` },
    { name: 'a booking about to be moved', path: ({ slots }) => `/move/${slots.booked.id}/${slots.free.id}` },
    { name: 'e-mail', path: '/email' },
    { name: 'recovery codes', path: '/recovery-codes' },
    { name: 'the calendar to subscribe to', path: '/calendar' },
    { name: 'second factor', path: '/second-factor' },
    { name: 'devices', path: '/devices' },
    { name: 'own data', path: '/your-data' },
    { name: 'rules', path: '/rules', act: unfold },
    { name: 'the booking page', path: '/your-page?start=yes' },
    { name: 'services', path: '/services', act: unfold },
    { name: 'a refused service', path: '/services', status: 400, act: refused('Add service') },
    { name: 'a service', path: ({ service }) => service },
    { name: 'news', path: '/news' },
    { name: 'other calendars', path: '/other-calendars', act: unfold },
    { name: 'a refused calendar', path: '/other-calendars', status: 400, act: refused('Add and read it') },
    { name: 'hours', path: '/hours?date=2030-01-07&time=10:00' },
    {
      name: 'a preview of hours',
      path: '/hours',
      focused: 'preview',
      async act(page) {
        await press(page, 'Show what changes');
        await button(page, 'Save these hours').waitFor();
      },
    },
    {
      name: 'refused hours',
      path: '/hours',
      status: 400,
      async act(page) {
        await page.getByLabel('Monday, from').fill('18:00');
        await page.getByLabel('Last day (optional)').first().fill('2030-01-07');
        await refused('Show what changes')(page);
      },
    },
    { name: 'booked appointments', path: '/view-booked' },
    { name: 'dashboard', path: '/view-dash' },
    { name: 'a booked appointment with answers', path: ({ slots }) => `/details-provider/${slots.answered.id}` },
    { name: 'a canceled appointment', path: ({ slots }) => `/view-provider/${slots.canceled.id}` },
    { name: "a consumer's screen", path: '/view', status: 403 },
    { name: 'templates', path: '/view-templates?created=yes' },
    { name: 'a template', path: ({ template }) => `/details-template/${template}` },
    { name: 'a template being written anew', path: ({ template }) => `/edit-template/${template}` },
    {
      name: 'a question being added',
      path: '/create-template',
      async act(page) {
        await press(page, 'Add new question');
        await page.getByRole('radio', { name: 'Multiple Choice' }).check();
        await press(page, 'Add a choice');
        await page.getByLabel('Choice 1').waitFor();
      },
    },
    { name: 'parties', path: '/view-parties' },
    { name: 'a party being created', path: '/create-party' },
    { name: 'a refused party', path: '/create-party', status: 400, act: refused('Create party') },
    { name: 'a party and who is coming', path: ({ party }) => `/view-party/${party}` },
    { name: 'deleting a party', path: ({ party }) => `/view-party/${party}`, act: (page) => press(page, 'Delete') },
    { name: 'a party being edited', path: ({ party }) => `/edit-party/${party}` },
    { name: 'a party to be copied every week', path: ({ party }) => `/repeat/${party}` },
    { name: 'meetups', path: '/view-meetups' },
    { name: 'a meetup and who is coming', path: ({ meetup }) => `/manage-meetup/${meetup.id}`, act: unfold },
  ],
  newProvider: [
    { name: 'home with nothing', path: '/' },
    { name: 'no booked appointments', path: '/view-booked' },
    { name: 'no templates', path: '/view-templates' },
    { name: 'no people', path: '/people' },
    { name: 'no services', path: '/services' },
    { name: 'an empty week', path: '/week' },
    { name: 'an empty day', path: '/day' },
    { name: 'no parties', path: '/view-parties' },
    { name: 'no meetups', path: '/view-meetups' },
  ],
  consumer: [
    { name: 'home', path: '/' },
    { name: 'what one waits for', path: '/waitlist' },
    { name: 'cities', path: '/view' },
    { name: 'providers', path: `/view?location=${city}` },
    { name: 'days', path: ({ provider }) => `/view?provider=${provider.username}` },
    { name: 'times', path: ({ provider }) => `/view?provider=${provider.username}&dates=${wire(dayOf(1, 10))}` },
    { name: 'a free time', path: ({ slots }) => `/details/${slots.free.id}` },
    { name: 'the questions of a booking', path: ({ slots }) => `/details/${slots.asking.id}?step=questions` },
    {
      name: 'questions unanswered',
      path: ({ slots }) => `/details/${slots.asking.id}?step=questions`,
      status: 400,
      act: refused(/^Book/),
    },
    { name: 'too late', path: ({ slots }) => `/details/${slots.free.id}`, status: 409, act: tooLate },
    { name: 'one just canceled', path: ({ slots }) => `/view-booked?canceled=${slots.canceled.id}` },
    { name: 'the same time again', path: ({ slots }) => `/again/${slots.booked.id}` },
    { name: 'a booked appointment', path: ({ slots }) => `/details-cancel/${slots.answered.id}` },
    { name: "a provider's screen", path: '/create', status: 403 },
    { name: 'the questions of a party', path: ({ party }) => `/party/${party}?step=questions` },
    { name: 'answered invitations', path: '/invitations' },
  ],
  newConsumer: [
    { name: 'home with nothing', path: '/' },
    { name: 'no booked appointments', path: '/view-booked' },
    { name: 'no invitations', path: '/invitations' },
    { name: 'no news', path: '/news' },
    { name: 'a second factor that is on', path: '/second-factor' },
  ],
};

/** The wanted slot is taken by somebody else while its page is open. */
async function tooLate(page: Page, { rival, slots }: LookWorld): Promise<void> {
  const slot = slots.free;
  await book(rival, slot);
  await press(page, 'Book this appointment');
  await see(page, 'This appointment has just been booked by someone else.');
  await cancel(rival, slot);
}
