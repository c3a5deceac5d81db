import { expect, test } from 'vitest';
import { book, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { words } from '../../support/forms';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty } from '../../support/party-factories';
import { createService } from '../../support/services';
import { idOf, writeTemplate } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { add } from '../../support/waitlist';

/* What deletes, cancels, removes or ends something looks the same on every screen, and asks in one shape. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

type Address = [who: Person, path: string];

async function booked(booker: Person) {
  const host = await newProvider();
  const [slot] = (await publish(host)) as [Row];
  return { host, ...((await book(booker, slot)).json as Row) };
}

async function waiting() {
  const [host, client] = await Promise.all([newProvider(), newConsumer()]);
  await add(client, host);
  return { host, client };
}

/** Screens with a question before they end something, the button that asks, and the one that does it. */
const questions: [screen: string, asks: string, does: string, make: () => Promise<Address>][] = [
  [
    'a party',
    'Delete',
    'Delete',
    async () => {
      const host = await newProvider();
      return [host, `/view-party/${(await createParty(host)).id}`];
    },
  ],
  [
    'a meetup',
    'Delete',
    'Delete',
    async () => {
      const host = await newProvider();
      return [host, `/manage-meetup/${(await createMeetup(host)).id}`];
    },
  ],
  [
    'questions',
    'Delete',
    'Delete',
    async () => {
      const host = await newProvider();
      return [host, `/details-template/${idOf(await writeTemplate(host))}`];
    },
  ],
  [
    'a service',
    'Delete this service',
    'Delete',
    async () => {
      const host = await newProvider();
      return [host, `/services/${(await createService(host)).id}`];
    },
  ],
  [
    'a free time',
    'Remove this time',
    'Remove this time',
    async () => {
      const host = await newProvider();
      const [slot] = (await publish(host)) as [Row];
      return [host, `/details-provider/${slot.id}`];
    },
  ],
  [
    'all free times',
    'Remove all free times',
    'Yes, remove them all',
    async () => {
      const host = await newProvider();
      await publish(host);
      return [host, '/view-open'];
    },
  ],
  [
    "a provider's appointment",
    'Cancel Appointment',
    'Cancel Appointment',
    async () => {
      const { host, id } = await booked(maya);
      return [host, `/view-provider/${id}`];
    },
  ],
  [
    "a client's appointment",
    'Cancel Appointment',
    'Cancel Appointment',
    async () => [maya, `/details-cancel/${(await booked(maya)).id}`],
  ],
];

test.each(questions)('%s is ended by its own kind of button, which asks', async (_, asks, does, make) => {
  const [who, path] = await make();

  const page = await who.browser.get(path);

  const button = page.$$('.ends').find(({ text }) => words(text) === asks);
  expect(button?.querySelector('use')).not.toBeNull();
  const dialog = page.$(`dialog[id="${button?.getAttribute('popovertarget')}"]`);
  expect(dialog?.querySelector('h2')?.text).toMatch(/\?/);
  expect(words(dialog?.querySelector('h2 + * > p, h2 + * p')?.text)).toMatch(/\w.*\.$/);
  expect(dialog?.querySelectorAll('button').map(({ text }) => words(text))).toEqual([does, 'Close']);
});

test.each<[screen: string, button: string, make: () => Promise<Address>]>([
  ['the waitlist of a provider', 'Take off the list', async () => [(await waiting()).host, '/waitlist']],
  ['the waitlist of a client', 'Stop waiting', async () => [(await waiting()).client, '/waitlist']],
  ['the list of devices', 'Log out', async () => [maya, '/devices']],
  [
    'the names of a meetup',
    'Remove',
    async () => {
      const host = await newProvider();
      return [host, `/manage-meetup/${(await createMeetup(host)).id}`];
    },
  ],
  [
    'the questions of a template',
    'Remove',
    async () => {
      const host = await newProvider();
      return [host, `/edit-template/${idOf(await writeTemplate(host))}`];
    },
  ],
])('a row of %s is ended by the same kind of button', async (_, name, make) => {
  const [who, path] = await make();

  const page = await who.browser.get(path);

  const buttons = page.$$('button').filter(({ text }) => words(text).startsWith(name));
  expect(buttons.length).toBeGreaterThan(0);
  expect(buttons.map((button) => button.getAttribute('class'))).toEqual(buttons.map(() => 'ends'));
});

test('the letter of a booking leads to its end by the same kind of button, without an icon', async () => {
  const { link } = await booked(await newGuest(daybook));

  const letter = await daybook.visitor().visit(link ?? '');

  const end = letter.$$('.ends');
  expect(end.map(({ text }) => words(text))).toEqual(['Cancel']);
  expect(letter.$$('.icon')).toEqual([]);
});
