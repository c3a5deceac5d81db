import { expect } from 'vitest';
import { hour, start, stored } from '../../support/history';
import { party, provider } from '../../support/trigger-people';
import { keeps, put } from '../../support/triggers';

const webhook = (id: string, kinds: string[]) =>
  put('webhooks', { provider_id: 'host', id, url: 'u', secret: 's', kinds: JSON.stringify(kinds), made_at: 0 });

keeps('program_news_become_deliveries', 'each program hears of its kinds, in order', async () => {
  await provider('host');
  await party('p');
  await webhook('hears', ['booked', 'rsvps']);
  await webhook('does not', ['booked']);
  const news = { kind: 'rsvps', provider_id: 'host', party_id: 'p', invitation_id: 'i' };

  await put('program_news', { ...news, at: start });
  await put('program_news', { ...news, at: start + 1 });

  const data = JSON.stringify({ id: 'p', startsAt: start, endsAt: start + 2 * hour, invitationId: 'i' });
  const delivery = { webhook_id: 'hears', about: 'i', data };
  expect(await stored('SELECT webhook_id, number, about, state, due_at, data FROM deliveries')).toEqual([
    { ...delivery, number: 1, state: 'new', due_at: start },
    { ...delivery, number: 2, state: 'behind', due_at: start + 1 },
  ]);
});
