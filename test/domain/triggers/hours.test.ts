import { expect } from 'vitest';
import { stored } from '../../support/history';
import { dateAt, openBook, openShop, slot } from '../../support/trigger-book';
import { keeps, put, type Row, run, valuesOf } from '../../support/triggers';

/* The triggers of db/behaviour/hours.sql, one by one. */

/** Hours of the host that are carried to the day of the book. */
const hours = (details: Row = {}) =>
  put('hours', { provider_id: 'host', plan: '{}', version: '1', carried_to: dateAt(0), next_at: 1, ...details });
const carriedTo = () => valuesOf('SELECT carried_to FROM hours');

const template = (id: string, replaces: string | null = null) =>
  put('templates', {
    id,
    provider_id: 'host',
    display_name: id,
    questions: '[]',
    listed_at: 0,
    created_at: 0,
    replaces,
  });
const service = (provider: string, details: Row = {}) =>
  put('services', { provider_id: provider, id: 'cut', name: 'Cut', name_folded: 'cut', minutes: 30, ...details });

keeps('hours_follow_their_zone', 'hours are carried again for a new clock', async () => {
  await openBook();
  await hours();

  await run("UPDATE accounts SET time_zone = 'Europe/Lisbon' WHERE id = 'host'");

  expect(await carriedTo()).toEqual(['']);
});

keeps('hours_follow_their_template', 'hours ask questions as they were last edited', async () => {
  await openBook();
  await template('first');
  await hours({ template_id: 'first' });

  await template('second', 'first');

  expect(await valuesOf('SELECT template_id FROM hours')).toEqual(['second']);
});

keeps('hours_follow_their_template', 'services of a shop ask questions as last edited', async () => {
  await openBook();
  await openShop();
  await template('first');
  for (const provider of ['host', 'other', 'casa']) await service(provider, { template_id: 'first' });

  await template('second', 'first');

  expect(await valuesOf('SELECT template_id FROM services')).toEqual(['second', 'second', 'second']);
});

keeps('hours_lose_their_template', 'hours ask no questions that are deleted', async () => {
  await openBook();
  await template('first');
  await hours({ template_id: 'first' });

  await run('UPDATE templates SET retired_at = 1');

  expect(await stored('SELECT template_id, lost_template_id FROM hours')).toEqual([
    { template_id: null, lost_template_id: 'first' },
  ]);
});

keeps('hours_lose_their_template', 'services of a shop ask none that are deleted', async () => {
  await openBook();
  await openShop();
  await template('first');
  for (const provider of ['host', 'other', 'casa']) await service(provider, { template_id: 'first' });

  await run('UPDATE templates SET retired_at = 1');

  expect(await valuesOf('SELECT template_id FROM services')).toEqual([null, null, null]);
});

keeps('hours_follow_their_services', 'hours are carried again for a longer service', async () => {
  await openBook();
  await service('host');
  await hours({ plan: '{"services":["cut"]}' });

  await run('UPDATE services SET minutes = 45');

  expect(await carriedTo()).toEqual(['']);
});

keeps('hours_fill_what_comes_free', 'hours look again where their former time goes', async () => {
  await openBook();
  await hours();
  await slot(0, { made_by: 2 });

  await run('DELETE FROM slots');

  expect(await carriedTo()).toEqual(['']);
});
