import { beforeAll, describe, expect, test } from 'vitest';
import { dayAhead, publishOne } from '../../support/factories';
import { wordOf } from '../../support/guests';
import { createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, typedIn } from '../../support/visit';

/* Every form that anyone can send: it takes the word that it was shown with, and no other. When a word is good, secrets.test.ts says. */

const daybook = useServer();
const { ana } = useWorld(daybook, { ana: {} });

/** Where a form is shown and sent, and what a person types. */
type PublicForm = { path: string; action?: string; typed: Record<string, string> };
let forms: Record<'booking' | 'rsvp' | 'code', PublicForm>;
beforeAll(async () => {
  const slot = await publishOne(ana, { dates: [dayAhead(2)] });
  const path = `/party/${(await createParty(ana, { openTo: 'anyone' })).id}`;
  const kept = await ana.browser.get(`/details-provider/${(await publishOne(ana, { dates: [dayAhead(3)] })).id}`);
  const code = (await kept.submit('Book for them', { displayName: 'Wanda' })).$('#code')?.text ?? '';
  forms = {
    booking: { path: `/with/${ana.username}/${slot.id}`, typed: { displayName: 'Zoë' } },
    rsvp: { path, action: `${path}?guest`, typed: { displayName: 'Zoë', accepted: 'true' } },
    code: { path: '/claim', typed: { code } },
  };
});

describe.each(['booking', 'rsvp', 'code'] as const)('the form of %s', (what) => {
  type Shown = { shown?: string; website?: string };
  const readWord = async () => typedIn(await daybook.visitor().get(forms[what].path), 'shown');
  const send = (shown: Shown): Promise<Page> => {
    const { path, action = path, typed } = forms[what];
    return daybook.visitor().post(action, { ...typed, ...shown });
  };

  test('has a word to send', async () => {
    expect(await readWord()).not.toBe('');
  });

  describe.each<[when: string, words: RegExp, shownOf: (word: string) => Shown]>([
    ['its word is missing', /was not opened lately/, () => ({})],
    ['its word was changed', /was not opened lately/, (word) => ({ shown: `${word}A` })],
    [
      'its word is of another form',
      /was not opened lately/,
      () => ({ shown: wordOf(daybook, 'book somebody else', Date.now() - 5000) }),
    ],
    ['a robot filled it in', /nobody sees/, (word) => ({ shown: word, website: 'https://spam.example' })],
  ])('is shown again when %s:', (_, words, shownOf) => {
    let page: Page;
    beforeAll(async () => {
      page = await send(shownOf(await readWord()));
    });

    test('it says why', () => {
      expect(page.status).toBe(400);
      expect(page.words).toMatch(words);
    });

    test('it has what was typed', () => {
      const [field = '', text] = Object.entries(forms[what].typed)[0] ?? [];
      expect(typedIn(page, field)).toBe(text);
    });

    test('it has a new word', () => {
      expect(typedIn(page, 'shown')).not.toBe('');
    });
  });
});
