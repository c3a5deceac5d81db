import { expect } from 'vitest';
import { stored } from '../../support/history';
import { provider } from '../../support/trigger-people';
import { keeps, put, run } from '../../support/triggers';

const set = (change: string) => run(`UPDATE templates SET ${change}`);

keeps('templates_keep_their_wording', 'a template keeps its wording, or loses all of it', async () => {
  await provider('host');
  const wording = { display_name: 'Before', questions: '["Why?"]' };
  await put('templates', { id: 't', provider_id: 'host', ...wording, listed_at: 0, created_at: 0 });

  await expect(set(`questions = '["Why not?"]'`)).rejects.toThrow('template_is_published');
  await expect(set("display_name = 'After'")).rejects.toThrow('template_is_published');
  await set("display_name = '', questions = '[]'");
  expect(await stored('SELECT display_name, questions FROM templates')).toEqual([
    { display_name: '', questions: '[]' },
  ]);
});
