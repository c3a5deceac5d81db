import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import {
  dayAhead,
  type Person,
  password,
  publishOne,
  type Row,
  registerConsumer,
  registerProvider,
  rowsOf,
} from '../support/factories';
import { describeFirst } from '../support/matrix';
import { createParty } from '../support/party-factories';
import { useServer, useWorld } from '../support/use-server';
import {
  arrive,
  browsersAt,
  button,
  choose,
  delayScripts,
  descriptionOf,
  follow,
  press,
  see,
  takenOver,
  title,
  untilSeen,
  writeParty,
} from './browser';
import { chooseDays, dayOf, publishing, wire } from './calendar';
import { scriptsFirst } from './journeys';

const served = useServer();
const { host, maya } = useWorld(served, { host: {}, maya: {} });
const { open, openShared } = browsersAt(served);

const passwordOf = (page: Page) => page.getByLabel('Password', { exact: true });

/** The dialog that says what is wrong with a registration. */
const faultDialogOf = (page: Page) => page.getByRole('dialog', { name: 'Invalid Password' });

/** Sends a registration with several faults, and waits for the dialog that says them. */
async function registerWrongly(page: Page) {
  await page.goto('/register');
  await page.getByLabel('Username').fill('ada lovelace');
  await page.getByRole('radio', { name: 'Provider' }).check();
  await page.getByLabel('Description').fill('First line\nSecond line');
  await page.getByLabel('Time zone').selectOption('Asia/Colombo');
  await passwordOf(page).fill('short');
  expectConsoleError(/status of 400/);
  await press(page, 'Register');
  const dialog = faultDialogOf(page);
  await untilSeen(dialog);
  return dialog;
}

describe.each(scriptsFirst)('with scripts %s', (_, script) => {
  test('a dialog says every fault of a registration', async () => {
    const page = await openShared({ script });

    const dialog = await registerWrongly(page);

    await untilSeen(dialog.getByText('Username can have only letters'));
    await untilSeen(dialog.getByText('City is missing.'));
    await untilSeen(dialog.getByText('Password needs at least 8 characters.'));
  });

  test('a dialog of faults closes by its button', async () => {
    const page = await openShared({ script });
    const dialog = await registerWrongly(page);

    await dialog.getByRole('button', { name: 'Close' }).click();

    await dialog.waitFor({ state: 'hidden' });
  });

  test.each([
    ['Username', 'Username can have only letters'],
    ['City', 'City is missing.'],
    ['Password', 'Password needs at least 8 characters.'],
  ])('the field %s is described by its fault', async (label, fault) => {
    const page = await openShared({ script });

    await registerWrongly(page);

    expect(await descriptionOf(page.getByLabel(new RegExp(`^${label}`)))).toContain(fault);
  });

  test('a refused registration keeps what was typed', async () => {
    const page = await openShared({ script });

    await registerWrongly(page);

    expect(await page.getByLabel('Username').inputValue()).toBe('ada lovelace');
    expect(await page.getByRole('radio', { name: 'Provider' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Description').inputValue()).toBe('First line\nSecond line');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Colombo');
  });

  test('a refused registration comes back without its password', async () => {
    const page = await openShared({ script });

    await registerWrongly(page);

    expect(await passwordOf(page).inputValue()).toBe('');
  });

  test('a form that is sent after a logout in another tab is sent as it was typed after a login', async () => {
    const provider = await registerProvider(served);
    const page = await openShared({ script, as: provider });
    await page.goto('/create');
    await chooseDays(page, dayOf(1, 10), dayOf(2, 5));
    await page.getByLabel('Range end time').fill('10:00');

    await page.context().clearCookies();
    expectConsoleError(/status of 401/);
    await press(page, 'Create appointments');
    await title(page, 'You are logged out');
    await page.getByLabel('Username').fill(provider.username);
    await passwordOf(page).fill(password);
    await press(page, 'Log in and send it');

    await see(page, '4 appointments are open for booking.');
  });

  /** Books by a double click. */
  async function bookTwice(): Promise<{ page: Page; consumer: Person; slot: Row }> {
    const slot = await publishOne(await registerProvider(served), { dates: [dayAhead(3)] });
    const consumer = await registerConsumer(served);
    const page = await openShared({ script, as: consumer });
    await page.goto(`/details/${slot.id}`);
    await button(page, 'Book this appointment').dblclick();
    await see(page, /^Booked: /);
    await arrive(page, '/view');
    return { page, consumer, slot };
  }

  const idsBookedBy = async (consumer: Person) =>
    rowsOf(await consumer.api('GET', '/api/Appointment/GetBooked')).map(({ id }) => id);

  test('a double click on Book books once', async () => {
    const { consumer, slot } = await bookTwice();

    expect(await idsBookedBy(consumer)).toEqual([slot.id]);
  });

  test('going back from a booking leads to what was booked', async () => {
    const { page, consumer, slot } = await bookTwice();

    await page.goBack();

    await arrive(page, `/details-cancel/${slot.id}`);
    await untilSeen(button(page, 'Cancel Appointment'));
    expect(await idsBookedBy(consumer)).toEqual([slot.id]);
  });
});

describeFirst('a form whose answer does not come', () => {
  /** A party that was sent, which the server has and of which the browser never hears, on a page whose clock stands. */
  async function partyWithoutResponse(as: Person): Promise<Page> {
    const page = await openShared({ as, hasClock: true });
    await writeParty(page);
    const statuses: number[] = [];
    await page.route('**/create-party*', async (route) => {
      if (route.request().method() !== 'POST' || statuses.length > 0) return route.fallback();
      const response = await route.fetch({ maxRedirects: 0 });
      statuses.push(response.status());
    });
    await press(page, 'Create party');
    await expect.poll(() => statuses).toEqual([204]);
    return page;
  }

  test('can not be sent again for ten seconds', async () => {
    const page = await partyWithoutResponse(host);
    const create = button(page, 'Create party');

    await page.clock.runFor(9_000);
    expect(await create.isDisabled()).toBe(true);

    await page.clock.runFor(1_000);
    await expect.poll(() => create.isDisabled()).toBe(false);
  });

  test('is done once when it is sent again', async () => {
    const provider = await registerProvider(served);
    const page = await partyWithoutResponse(provider);
    await page.clock.runFor(10_000);

    await press(page, 'Create party');

    await see(page, 'Garden party');
    expect(rowsOf(await provider.api('GET', '/api/Party/GetMy'))).toHaveLength(1);
  });

  test('is done once when whoever left it comes back and sends it again', async () => {
    const provider = await registerProvider(served);
    const page = await partyWithoutResponse(provider);
    await choose(page, 'News');
    await title(page, 'News');
    await page.goBack();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Garden party');

    await press(page, 'Create party');

    await see(page, 'Garden party');
    expect(rowsOf(await provider.api('GET', '/api/Party/GetMy'))).toHaveLength(1);
  });
});

describeFirst('a dialog of faults', () => {
  /** A registration with faults, on a page whose clock stands. */
  async function stoppedAtFaults(): Promise<Page> {
    const page = await openShared({ hasClock: true });
    await registerWrongly(page);
    return page;
  }

  test('closes after two seconds', async () => {
    const page = await stoppedAtFaults();

    await page.clock.runFor(2_000);

    await faultDialogOf(page).waitFor({ state: 'hidden' });
  });

  test('leaves the faults beside their fields', async () => {
    const page = await stoppedAtFaults();

    await page.clock.runFor(2_000);

    await faultDialogOf(page).waitFor({ state: 'hidden' });
    expect(await page.locator('form').getByText('City is missing.').isVisible()).toBe(true);
  });

  test('opens again when the form is refused again', async () => {
    const page = await stoppedAtFaults();
    await page.clock.runFor(2_000);
    await faultDialogOf(page).waitFor({ state: 'hidden' });

    await press(page, 'Register');

    await faultDialogOf(page).waitFor();
  });

  test("stays under the reader's pointer", async () => {
    const page = await stoppedAtFaults();

    await faultDialogOf(page).hover();
    await page.clock.runFor(6_000);

    expect(await faultDialogOf(page).isVisible()).toBe(true);
  });

  test('stays while it has the focus', async () => {
    const page = await stoppedAtFaults();
    await page.mouse.move(0, 0);

    await faultDialogOf(page).getByRole('button', { name: 'Close' }).focus();
    await page.clock.runFor(6_000);

    expect(await faultDialogOf(page).isVisible()).toBe(true);
  });

  test('closes by Escape', async () => {
    const page = await stoppedAtFaults();

    await page.keyboard.press('Escape');

    await faultDialogOf(page).waitFor({ state: 'hidden' });
  });
});

describeFirst('a booking link', () => {
  /** Where a provider reads the link, on a page that may copy and whose clock stands. */
  async function pageOfLink(): Promise<Page> {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await openShared({ as: host, hasClock: true, permissions });
    await page.goto('/view-open');
    return page;
  }

  test('is copied by one press', async () => {
    const page = await pageOfLink();

    await press(page, 'Copy link');
    await button(page, 'Copied!').waitFor();

    const address = `${served.url}/with/${host.username}`;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  });

  test('can be copied again two seconds later', async () => {
    const page = await pageOfLink();
    await press(page, 'Copy link');
    await button(page, 'Copied!').waitFor();

    await page.clock.runFor(2_000);

    await button(page, 'Copy link').waitFor();
  });

  test('has no button where the browser has no clipboard', async () => {
    const page = await open({ as: host });
    // As over plain http.
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));

    await page.goto('/view-open');
    await takenOver(page);

    expect(await button(page, 'Copy link').count()).toBe(0);
  });
});

describeFirst('the letter of a party', () => {
  /** A pending RSVP, on a page whose clock stands. */
  async function pendingRsvp(): Promise<Page> {
    const party = await createParty(host, { date: wire(dayOf(1, 20)) });
    const page = await openShared({ as: maya, hasClock: true });
    // An answer without content leaves the page as it is.
    await page.route('**/*', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 204 }) : route.continue(),
    );
    await page.goto(`/party/${party.id}`);
    await press(page, 'RSVP');
    return page;
  }

  /** Whether each button can be pressed. */
  const pressableIn = (page: Page) =>
    page
      .getByRole('main')
      .locator('button')
      .evaluateAll((all) => all.map((one) => one.matches(':enabled')));

  test('says that an answer is being saved', async () => {
    const page = await pendingRsvp();

    await button(page, 'Saving…').first().waitFor();
  });

  test('takes no second answer for ten seconds', async () => {
    const page = await pendingRsvp();
    await button(page, 'Saving…').first().waitFor();
    expect(await pressableIn(page)).toEqual([false, false]);

    await page.clock.fastForward(10_000);

    expect(await pressableIn(page)).toEqual([true, true]);
  });
});

describeFirst('with scripts on', () => {
  test('a table of some hundreds comes along by itself once it was looked at', async () => {
    const page = await openShared({ as: host });
    await page.goto('/people/import');
    await takenOver(page);
    const rows = Array.from({ length: 330 }, (_, row) => `Person ${row},p${row}@mail.test`);

    await page.getByLabel('Or paste it here').fill(`Name,E-mail\n${rows.join('\n')}`);
    await press(page, 'Go on');
    await press(page, 'See what happens');
    await press(page, 'Import all 330');

    await see(page, 'Your clients are here. Nobody was mailed.');
    expect(await page.getByRole('definition').allInnerTexts()).toEqual(['330', '0', '0', '0']);
  });

  /** The page of a free time, whose provider has one client. */
  async function freeTimeOfWanda(): Promise<Page> {
    const provider = await registerProvider(served);
    await provider.api('POST', '/api/People/Create', { name: 'Wanda Ek', phone: '555 123' });
    const slot = await publishOne(provider, { dates: [dayAhead(2)] });
    const page = await openShared({ as: provider });
    await page.goto(`/details-provider/${slot.id}`);
    await takenOver(page);
    return page;
  }

  test('who was here before is found while one types', async () => {
    const page = await freeTimeOfWanda();

    await page.getByLabel('Somebody who was here before').fill('wan');

    await untilSeen(page.getByText('555 123'));
  });

  test('a search that finds nobody says so', async () => {
    const page = await freeTimeOfWanda();

    await page.getByLabel('Somebody who was here before').fill('Nobody');

    await see(page, 'Nobody of that name, e-mail or phone. Write them down below.');
  });

  test('who was found is booked by one press', async () => {
    const page = await freeTimeOfWanda();
    await page.getByLabel('Somebody who was here before').fill('wan');

    await press(page, 'Book for Wanda Ek');

    await see(page, 'Wanda Ek is booked');
  });

  test('three presses from Today book a known person on any day', async () => {
    const provider = await registerProvider(served);
    await provider.api('POST', '/api/People/Create', { name: 'Wanda Ek' });
    await publishOne(provider, { dates: [dayAhead(9)] });
    const page = await openShared({ as: provider });
    await page.goto('/');
    await takenOver(page);
    await page.getByLabel('Book for someone').fill('wan');

    await follow(page, 'Book Wanda Ek');
    await page.locator(`a[href*="day=${dayAhead(9)}"]`).click();
    await page.locator('button[name=slot]').click();

    await see(page, 'Wanda Ek is booked');
  });

  /** A registration whose password can be read. */
  async function shownPassword(): Promise<Page> {
    const page = await openShared();
    await page.goto('/register');
    await takenOver(page);
    await passwordOf(page).fill('Secret horse 1');
    expect(await passwordOf(page).getAttribute('type')).toBe('password');
    await page.getByRole('checkbox', { name: 'Show password' }).check();
    return page;
  }

  test('a password can be looked at while it is typed', async () => {
    const page = await shownPassword();

    expect(await passwordOf(page).getAttribute('type')).toBe('text');
    expect(await passwordOf(page).inputValue()).toBe('Secret horse 1');
  });

  test('a password that was looked at is not stored in the browser', async () => {
    const page = await shownPassword();

    await follow(page, 'Log in');
    await title(page, 'Login');

    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Secret horse');
  });

  /** A publication that is ready to be sent, and what is sent of it, which takes half a second. */
  async function slowPublication(): Promise<{ page: Page; posts: string[] }> {
    const page = await publishing(await openShared({ as: await registerProvider(served) }), true);
    await chooseDays(page, dayOf(1, 10));
    const posts: string[] = [];
    await page.route('**/create*', async (route) => {
      if (route.request().method() === 'POST') {
        posts.push(route.request().url());
        await new Promise((resume) => setTimeout(resume, 500));
      }
      await route.continue();
    });
    return { page, posts };
  }

  test('Enter pressed twice sends a form once', async () => {
    const { page, posts } = await slowPublication();

    await page.getByLabel('Length in minutes').press('Enter');
    await page.keyboard.press('Enter');

    await see(page, 'open for booking.');
    expect(posts).toHaveLength(1);
  });

  test('a form that is sent twice at once is sent once', async () => {
    const { page, posts } = await slowPublication();

    await page.getByLabel('Length in minutes').evaluate((field) => {
      const { form } = field as HTMLInputElement;
      form?.requestSubmit();
      form?.requestSubmit();
    });

    await see(page, 'open for booking.');
    expect(posts).toHaveLength(1);
  });

  test('a registration begins in the time zone of the device', async () => {
    const page = await openShared({ timezoneId: 'Asia/Colombo' });

    await page.goto('/register');
    await takenOver(page);

    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Colombo');
  });
});

describeFirst('before the scripts come', () => {
  /** What a page does before its scripts, and after them. */
  async function withoutScriptsAtFirst(
    path: string,
    as?: Person,
  ): Promise<{ page: Page; letScriptsCome: () => Promise<void> }> {
    const page = await open({ as });
    const release = await delayScripts(page);
    await page.goto(path, { waitUntil: 'commit' });
    const letScriptsCome = async () => {
      release();
      await takenOver(page);
    };
    return { page, letScriptsCome };
  }

  test('a password that is typed stays when they come', async () => {
    const { page, letScriptsCome } = await withoutScriptsAtFirst('/register');
    await passwordOf(page).fill('Secret horse 1');

    await letScriptsCome();

    expect(await passwordOf(page).inputValue()).toBe('Secret horse 1');
  });

  test('a password that is typed into a refused form stays when they come', async () => {
    const { page, letScriptsCome } = await withoutScriptsAtFirst('/register');
    expectConsoleError(/status of 400/);
    await page.getByLabel('Username').fill('ada lovelace');
    await press(page, 'Register');
    await faultDialogOf(page).waitFor();
    await passwordOf(page).fill('Secret horse 1');

    await letScriptsCome();

    expect(await passwordOf(page).inputValue()).toBe('Secret horse 1');
  });

  test('a time zone that is chosen stays when they come', async () => {
    const { page, letScriptsCome } = await withoutScriptsAtFirst('/register');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');

    await letScriptsCome();

    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
  });

  test('a dialog of faults that is closed stays closed when they come', async () => {
    const { page, letScriptsCome } = await withoutScriptsAtFirst('/register');
    expectConsoleError(/status of 400/);
    await press(page, 'Register');
    await faultDialogOf(page).getByRole('button', { name: 'Close' }).click();

    await letScriptsCome();

    expect(await faultDialogOf(page).isVisible()).toBe(false);
  });

  test('a question that is opened is closed by the same button after they came', async () => {
    const party = await createParty(host);
    const { page, letScriptsCome } = await withoutScriptsAtFirst(`/view-party/${party.id}`, host);
    const opener = button(page, 'Delete').first();
    await opener.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();

    await letScriptsCome();
    await opener.press('Enter');

    await dialog.waitFor({ state: 'hidden' });
  });
});
