import { describe, expect, test } from 'vitest';
import { openSlotsOf } from '../../support/appointment-calls';
import { book, dayAhead, type Person, peopleAt, type Row } from '../../support/factories';
import { everyDay } from '../../support/plain-hours';
import { useServer } from '../../support/use-server';

/* A day that its provider has closed says so, where somebody comes to it with an old link or after a refusal. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

/** A provider with one time a day, whose day after tomorrow is closed by now. */
async function closing(meanwhile: (host: Person) => Promise<void> = async () => {}) {
  const host = await newProvider();
  const hours = { hours: everyDay('09:00', '09:30'), ahead: 4 };
  const set = (more: object) => host.api('PUT', '/api/Appointment/SetHours', { ...hours, ...more });
  await set({});
  await meanwhile(host);
  await set({ except: [{ date: dayAhead(2), to: null, hours: [] }] });
  return host;
}

describe('a closed day', () => {
  test('says so on the provider’s page', async () => {
    const host = await closing();

    const { words } = await daybook.visitor().get(`/with/${host.username}?dates=${dayAhead(2)}`);

    expect(words).toContain('Closed on that day.');
  });

  test('says so where an appointment is to be moved to it', async () => {
    const maya = await newConsumer();
    let id = '';
    await closing(async (host) => {
      const [slot] = await openSlotsOf(maya, host, { dates: dayAhead(3) });
      id = ((await book(maya, slot as Row)).json as Row).id;
    });

    const { words } = await maya.browser.get(`/move/${id}?day=${dayAhead(2)}`);

    expect(words).toContain('Closed on that day.');
  });
});

test('a day that is booked up is not called closed', async () => {
  const maya = await newConsumer();
  const host = await closing(async (open) => {
    for (const slot of await openSlotsOf(maya, open, { dates: dayAhead(3) })) await book(maya, slot);
  });

  const { words } = await daybook.visitor().get(`/with/${host.username}?dates=${dayAhead(3)}`);

  expect(words).toContain('Nothing is free then any more.');
});
