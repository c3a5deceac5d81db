import { expect } from 'vitest';
import { keeps, put } from '../../support/triggers';

keeps('refusals_fail_the_batch', 'a refusal fails its batch by its own name', async () => {
  const names = ['too_many_open_slots', 'too_many_names', 'not_as_shown'];

  for (const name of names) await expect(put('refusals', { name })).rejects.toThrow(name);
  await expect(put('refusals', { name: 'other' })).rejects.toThrow('unknown_refusal');
});
