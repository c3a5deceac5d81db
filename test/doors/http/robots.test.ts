import { beforeAll, describe, expect, test } from 'vitest';
import { dayAhead, publishOne, type Row } from '../../support/factories';
import { wordOf } from '../../support/guests';
import { createParty, type Party } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* Every form that anyone can send: it takes the word that it was shown with, and no other. */

const daybook = useServer();
const { ana } = useWorld(daybook, { ana: {} });
let slot: Row;
let party: Party;
let code: string;
beforeAll(async () => {
  slot = await publishOne(ana, { dates: [dayAhead(2)] });
  party = await createParty(ana, { openTo: 'anyone' });
  const kept = await publishOne(ana, { dates: [dayAhead(3)] });
  const made = await (await ana.browser.get(`/details-provider/${kept.id}`)).submit('Book for them', {
    displayName: 'Wanda',
  });
  code = made.$('#code')?.text ?? '';
});

/** Where a form is shown and sent, what its word says of it, and what a person types. */
type PublicForm = () => { path: string; action?: string; word: string; typed: Record<string, string> };
const forms: [what: string, form: PublicForm][] = [
  [
    'a booking',
    () => ({
      path: `/with/${ana.username}/${slot.id}`,
      word: `book ${ana.username} ${slot.id}`,
      typed: { displayName: 'Zoë' },
    }),
  ],
  [
    'an answer to a party',
    () => ({
      path: `/party/${party.id}`,
      action: `/party/${party.id}?guest`,
      word: `answer ${party.id}`,
      typed: { displayName: 'Zoë', accepted: 'true' },
    }),
  ],
  ['a code from paper', () => ({ path: '/claim', word: 'claim', typed: { code } })],
];

const wordOn = (page: Page) => page.$('input[name=shown]')?.getAttribute('value') ?? '';
const shownAgo = (milliseconds: number, word: string) => wordOf(daybook, word, Date.now() - milliseconds);
const day = 86_400_000;

describe.each(forms)('the form of %s', (what, form) => {
  const send = (shown: Record<string, string>) => {
    const { path, action = path, typed } = form();
    return daybook.visitor().post(action, { ...typed, ...shown });
  };

  test('is shown again, with all that was typed and a good word, where its word is missing, old, early or of another form', async () => {
    const own = wordOn(await daybook.visitor().get(form().path));
    expect(own).not.toBe('');
    const others = forms.filter(([name]) => name !== what).map(([, other]) => other().word);
    const wrong: [string, Record<string, string>][] = [
      ['none', {}],
      ['blank', { shown: '' }],
      ['old', { shown: shownAgo(day + 1000, form().word) }],
      ['of tomorrow', { shown: shownAgo(-60_000, form().word) }],
      ['changed', { shown: `${own}A` }],
      ['of itself with something before it', { shown: shownAgo(0, `x ${form().word}`) }],
      ...others.map((word): [string, Record<string, string>] => [word, { shown: shownAgo(0, word) }]),
      ['good, by a robot', { shown: own, website: 'https://spam.example' }],
    ];
    for (const [name, shown] of wrong) {
      const page = await send(shown);
      expect([name, page.status]).toEqual([name, 400]);
      expect([name, page.words]).toEqual([name, expect.stringMatching(/was not opened lately|nobody sees/)]);
      const [field, typed] = Object.entries(form().typed)[0] as [string, string];
      expect(page.$(`[name=${field}]`)?.getAttribute('value')).toBe(typed);
      expect(wordOn(page)).not.toBe('');
    }
  });
});
