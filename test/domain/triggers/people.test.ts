import { expect } from 'vitest';
import { stored } from '../../support/history';
import { consumer, guest, provider } from '../../support/trigger-people';
import { keeps, put, run, valuesOf } from '../../support/triggers';

keeps('people_get_their_card', 'a first booking makes the card of a guest', async () => {
  await provider('host');
  await guest('gus', { display_name: 'Gus', email: 'Gus@example.com' });
  const booked = { provider_id: 'host', person_id: 'gus', booker_id: 'gus', phone: '+351 (21) 000-12' };

  await put('first_bookings', booked);
  await put('first_bookings', { ...booked, phone: null });

  expect(await stored('SELECT id, booker_id, name, email_folded, phone_digits FROM people')).toEqual([
    { id: 'gus', booker_id: null, name: 'Gus', email_folded: 'gus@example.com', phone_digits: '3512100012' },
  ]);
});

keeps('people_get_their_card', 'the card of an account leaves the name to it', async () => {
  await provider('host');
  await consumer('ana', { email: 'ana@example.com' });

  await put('first_bookings', { provider_id: 'host', person_id: 'ana', booker_id: 'ana' });

  expect(await stored('SELECT id, booker_id, name, email FROM people')).toEqual([
    { id: 'ana', booker_id: 'ana', name: null, email: null },
  ]);
});

keeps('people_keep_their_standing_times', 'a standing time is of who its card is of', async () => {
  await provider('host');
  await guest('gus');
  await consumer('ana');
  await put('people', { provider_id: 'host', id: 'card', name: 'Ana', name_sort_key: 'ana', booker_id: 'gus' });
  const time = { day: 0, minute: 540, weeks: 1, from_date: '2030-03-11', set_at: 0 };
  await put('standing_times', { provider_id: 'host', id: 's', person_id: 'card', booker_id: 'gus', ...time });

  await run("UPDATE people SET booker_id = 'ana'");

  expect(await valuesOf('SELECT booker_id FROM standing_times')).toEqual(['ana']);
});
