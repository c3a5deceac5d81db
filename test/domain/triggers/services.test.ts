import { expect } from 'vitest';
import { provider } from '../../support/trigger-people';
import { keeps, put, run, valuesOf } from '../../support/triggers';

const service = (id: string) => put('services', { provider_id: 'host', id, name: id, name_folded: id, minutes: 30 });
const only = () => valuesOf('SELECT only_service_id FROM accounts');

keeps('only_services_come', 'a first service is the only one, until a second', async () => {
  await provider('host');

  await service('cut');
  expect(await only()).toEqual(['cut']);
  await service('shave');
  expect(await only()).toEqual([null]);
});

keeps('only_services_change', 'a service is the only one while others rest', async () => {
  await provider('host');
  await service('cut');
  await service('shave');

  await run("UPDATE services SET is_offered = 0 WHERE id = 'cut'");

  expect(await only()).toEqual(['shave']);
});

keeps('only_services_go', 'the last service that is left is the only one', async () => {
  await provider('host');
  await service('cut');
  await service('shave');

  await run("DELETE FROM services WHERE id = 'cut'");

  expect(await only()).toEqual(['shave']);
});
