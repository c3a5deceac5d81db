import { beforeAll, expect, test } from 'vitest';
import { dayAhead, publishOne } from '../../support/factories';
import { wordOf } from '../../support/guests';
import { createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { typedIn } from '../../support/visit';

/* Every form that anyone can send: it takes the word that it was shown with, and no other. When a word is good, secrets.test.ts says. */

const daybook = useServer();
const { ana } = useWorld(daybook, { ana: {} });

/** Where a form is shown and sent, and what a person types. */
type PublicForm = { path: string; action?: string; typed: Record<string, string> };
let forms: Record<'booking' | 'answer' | 'code', PublicForm>;
beforeAll(async () => {
  const slot = await publishOne(ana, { dates: [dayAhead(2)] });
  const path = `/party/${(await createParty(ana, { openTo: 'anyone' })).id}`;
  const kept = await ana.browser.get(`/details-provider/${(await publishOne(ana, { dates: [dayAhead(3)] })).id}`);
  const code = (await kept.submit('Book for them', { displayName: 'Wanda' })).$('#code')?.text ?? '';
  forms = {
    booking: { path: `/with/${ana.username}/${slot.id}`, typed: { displayName: 'Zoë' } },
    answer: { path, action: `${path}?guest`, typed: { displayName: 'Zoë', accepted: 'true' } },
    code: { path: '/claim', typed: { code } },
  };
});

test.each(['booking', 'answer', 'code'] as const)(
  'the form of %s is shown again, with what was typed and a good word, where its word is missing or wrong, or a robot filled it in',
  async (what) => {
    const { path, action = path, typed } = forms[what];
    const own = typedIn(await daybook.visitor().get(path), 'shown');
    expect(own).not.toBe('');
    const another = wordOf(daybook, 'book somebody else', Date.now() - 5000);
    const robot = { shown: own, website: 'https://spam.example' };
    const wrong: Record<string, string>[] = [{}, { shown: `${own}A` }, { shown: another }, robot];
    for (const shown of wrong) {
      const page = await daybook.visitor().post(action, { ...typed, ...shown });
      expect([shown, page.status]).toEqual([shown, 400]);
      expect(page.words).toMatch(/was not opened lately|nobody sees/);
      const [field, text] = Object.entries(typed)[0] as [string, string];
      expect([typedIn(page, field), typedIn(page, 'shown')]).toEqual([text, expect.stringMatching(/./)]);
    }
  },
);
