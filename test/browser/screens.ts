import type { Page } from 'playwright-core';
import { book, cancel, isoAhead, password } from '../support/factories';
import { arrive, button, press, see } from './browser';
import { chooseDays, dayOf, wire } from './calendar';
import { city, type LookWorld } from './look-world';

export type Screen = {
  name: string;
  /** In it the names of a world stand for its ids and links. */
  path: string;
  /** What is done there before it is looked at. */
  act?: (page: Page, world: LookWorld) => Promise<unknown>;
  /** Where the answer is an error, its status. */
  status?: number;
};
export type Who = 'provider' | 'consumer' | 'newProvider' | 'newConsumer' | 'nobody';

export const unfold = (page: Page) =>
  page.locator('details').evaluateAll((all) => all.map((one) => one.setAttribute('open', '')));

/** Screens that are looked at as they come, each named by its path. */
const plain = (paths: string, more: Partial<Screen> = {}): Screen[] =>
  paths.split(/\s+/).map((path) => ({ name: path, path, ...more }));

/** A screen whose form is sent, and has come back with what is wrong. */
const refused = (path: string, name: string | RegExp, fill?: (page: Page) => Promise<unknown>): Screen => ({
  name: `${path}, refused`,
  path,
  status: 400,
  async act(page) {
    await fill?.(page);
    await press(page, name);
    await see(page, 'There is a problem');
  },
});

/** Every screen of the product, by who sees it; the menu and its drawer have tests of their own. */
export const screens: Record<Who, Screen[]> = {
  nobody: [
    ...plain('/', { act: unfold }),
    ...plain('/register', { act: (page) => page.getByRole('radio', { name: 'Provider' }).check() }),
    {
      name: '/register, refused',
      path: '/register',
      status: 400,
      async act(page) {
        await press(page, 'Register');
        await button(page, 'Close').last().focus();
      },
    },
    ...plain(
      '/lost-link /login /not-logged-in?to=%2Fview /login/code /forgot-password /reset-password :reset :confirm :confirmed',
    ),
    ...plain(':unsubscribe :notMe /accessibility /logout /api /claim /with/:provider /with/:provider/:asking'),
    ...plain('/with/:provider/wait :waiting :offer :link :link/again :link/move :link/move/:asking /party/:party'),
    ...plain(':rsvp /meetup-rsvp/:invitation :joining :shop :anyone'),
    ...plain(':shop?service=:house :anyoneFor'),
    // As other sites show them in a frame.
    ...plain('/with/:provider?framed /with/:provider/:asking?framed /with/:provider/wait?framed :link?framed'),
    ...plain('/nowhere :calledOff :joined', { status: 404 }),
    ...plain('/with/:provider/:taken :anyoneTaken', { status: 409 }),
    ...plain('/meetup-rsvp/x', { status: 400 }),
    refused('/with/:provider/:asking', 'Book'),
    refused(':link/move/:asking', 'Move it'),
    // The last one, because the browser then has the password of a login.
    {
      name: '/login/code after a right password',
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
    ...plain('/ /view-open /week /week?as=list /day /people /people/import :person/book :person/standing /book-at'),
    ...plain(':person/merge?q=a /move/:booked /move/:booked/:free /email /recovery-codes /calendar /second-factor'),
    ...plain('/devices /keys /your-data /your-page?start=yes /services/:service /news /webhooks'),
    ...plain('/webhooks/:webhook', { act: unfold }),
    ...plain('/shop/day :dayOfAll'),
    ...plain(':joining /services?of=:ofShop /services/:house?of=:ofShop'),
    ...plain('/shop/hand-over?of=:provider /shop/former /shop/former/:former'),
    ...plain('/people?of=:colleague /hours?of=:colleague /details-provider/:deskBooked?of=:colleague'),
    ...['week?from', 'day?date'].map((page) => ({
      name: `/${page.split('?')[0]} of a colleague`,
      path: `/${page}=${wire(dayOf(1, 13))}&of=:colleague`,
    })),
    refused('/services?of=:ofShop', 'Add service'),
    refused('/webhooks', 'Make the webhook'),
    { name: '/hours, asked about a time', path: `/hours?date=${isoAhead(60)}&time=10:00` },
    ...plain(
      '/view-booked /view-dash /details-provider/:answered /view-provider/:canceled /view-templates?created=yes',
    ),
    ...plain('/details-template/:template /edit-template/:template /view-parties /create-party /view-party/:party'),
    ...plain('/edit-party/:party /repeat/:party /view-meetups'),
    ...plain('/waitlist /profile /shop /shop/rules :person /rules /services /other-calendars /manage-meetup/:meetup', {
      act: unfold,
    }),
    ...plain('/create', { act: (page) => chooseDays(page, dayOf(2, 1), dayOf(1, 1)) }),
    ...plain('/view', { status: 403 }),
    refused('/create', 'Create appointments'),
    refused('/services', 'Add service'),
    refused('/other-calendars', 'Add and read it'),
    refused('/create-party', 'Create party'),
    refused('/hours', 'Show what changes', async (page) => {
      await page.getByLabel('Monday, from').fill('18:00');
      await page.getByLabel('Last day (optional)').first().fill(isoAhead(60));
    }),
    {
      name: '/hours, previewed',
      path: '/hours',
      async act(page) {
        await press(page, 'Show what changes');
        // Scripts lead the reader there once they have taken over, else in the middle of what is looked at.
        await page.waitForFunction(() => document.activeElement?.id === 'preview');
      },
    },
    {
      name: '/create-template, a question being added',
      path: '/create-template',
      async act(page) {
        await press(page, 'Add new question');
        await page.getByRole('radio', { name: 'Multiple Choice' }).check();
        await press(page, 'Add a choice');
        await page.getByLabel('Choice 1').waitFor();
      },
    },
    { name: '/view-party/:party, being deleted', path: '/view-party/:party', act: (page) => press(page, 'Delete') },
  ],
  newProvider: plain('/ /shop /view-booked /view-templates /people /services /week /day /view-parties /view-meetups'),
  consumer: [
    ...plain(
      `/ /waitlist /view /view?location=${city} /view?provider=:provider /details/:free /again/:booked :anyoneAgain`,
    ),
    ...plain(`/view?provider=:provider&dates=${wire(dayOf(1, 10))} /details/:asking?step=questions /invitations`),
    ...plain('/view-booked?canceled=:canceled /details-cancel/:answered /party/:party?step=questions'),
    ...plain('/create', { status: 403 }),
    refused('/details/:asking?step=questions', /^Book/),
    { name: '/details/:free, too late', path: '/details/:free', status: 409, act: tooLate },
  ],
  newConsumer: plain('/ /view-booked /invitations /news /second-factor'),
};

/** The wanted slot is taken by somebody else while its page is open. */
async function tooLate(page: Page, { rival, slots }: LookWorld): Promise<void> {
  await book(rival, slots.free);
  await press(page, 'Book this appointment');
  await see(page, 'This appointment has just been booked by someone else.');
  await cancel(rival, slots.free);
}

/** Screens with a form that comes back when what is typed into it is wrong. */
export const refusable: [who: Who, path: string][] = (
  [
    ['nobody', '/register /login /with/:provider/:asking /with/:provider/wait :link :rsvp /meetup-rsvp/:invitation'],
    ['nobody', '/claim :reset'],
    ['provider', '/profile /services /rules /hours /create /create-party /create-template /view-meetups /shop'],
    ['provider', '/webhooks /keys /people /other-calendars /email'],
    ['consumer', '/details/:asking?step=questions'],
  ] as const
).flatMap(([who, paths]) => paths.split(' ').map((path): [Who, string] => [who, path]));
