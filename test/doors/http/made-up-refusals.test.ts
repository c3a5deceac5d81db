import type { HTMLElement } from 'node-html-parser';
import { describe, expect, test } from 'vitest';
import { pathIn } from '../../browser/look-world';
import { refusable } from '../../browser/screens';
import { entriesOf } from '../../support/forms';
import { strangeWords } from '../../support/made-up';
import { wordsOf } from '../../support/made-up-pages';
import { everyPath, useMadeUpWorld } from '../../support/made-up-world';
import type { Page } from '../../support/visit';

/* What the forms of every screen say when they come back, in a language that shows which of its words nobody could translate. */

const madeUp = useMadeUpWorld();
const { readerOf } = madeUp;

// What is typed is Greek.
const strangeIn = (page: Page): string[] =>
  wordsOf(page).flatMap((parts) =>
    strangeWords(
      parts.map((part) => part.replaceAll(/\p{sc=Greek}+/gu, ' ')),
      madeUp.known,
    ),
  );

type Fill = (field: HTMLElement) => string;
const blank: Fill = () => '';
/** Longer than it may be, or none of its kind. */
const wrong: Fill = (field) => 'Ω'.repeat(Math.min(Number(field.getAttribute('maxlength') ?? 100) + 1, 20_000));
const ofKind: Record<string, string> = {
  ...{ date: '2020-01-02', time: '10:00', number: '0', email: 'nobody@mail.test', url: 'http://localhost/' },
  ...{ password: 'Not the password 1', tel: '+351 21 123' },
};
/** Of its kind, but past, too few, somebody else's. */
const unfit: Fill = (field) => ofKind[field.getAttribute('type') ?? 'text'] ?? 'Ωμέγα';

const untyped = ['hidden', 'checkbox', 'radio', 'file', 'submit'];
const typedInto = `input${untyped.map((type) => `:not([type=${type}])`).join('')}, textarea`;

/** What a button asks for. Those of several lines of a form ask for the same. */
const wishOf = (button: HTMLElement) => `${button.getAttribute('name')} ${button.getAttribute('value')?.split(':')[0]}`;

/** Sends this page's forms, filled in, by each of their buttons that asks for something else. */
async function sendEach(page: Page, fill: Fill): Promise<Page[]> {
  const answers: Page[] = [];
  const sent = new Set<string>();
  for (const button of page.$$('main button')) {
    const form = button.closest('form') ?? page.root.getElementById(button.getAttribute('form') ?? '');
    if (!form || button.getAttribute('type') === 'button' || button.hasAttribute('disabled')) continue;
    const wish = `${page.$$('form').indexOf(form)} ${wishOf(button)}`;
    if (sent.has(wish)) continue;
    sent.add(wish);
    const fields = form.querySelectorAll(typedInto);
    if (fields.length === 0 || form.getAttribute('method')?.toLowerCase() !== 'post') continue;
    const entries = entriesOf(page.root, form, button, {}).map(([name, value]) => {
      const field = fields.find((one) => one.getAttribute('name') === name);
      return [name, field ? fill(field) : value];
    });
    const url = new URL(button.getAttribute('formaction') ?? form.getAttribute('action') ?? page.url, page.url);
    const body = new URLSearchParams(entries);
    answers.push(await page.reader.open({ method: 'POST', url, body, from: page.url }));
  }
  return answers;
}

test.each(refusable)('for a %s at %s a form with wrong fields comes back', async (who, path) => {
  const page = await readerOf(who).visit(pathIn(madeUp.world, path));

  const answers = await sendEach(page, wrong);

  expect(answers.some(({ status }) => status >= 400)).toBe(true);
});

describe.each([
  ['wrong', wrong],
  ['blank', blank],
  ['unfit', unfit],
])('every word of the answer to a form with %s fields can be translated', (_, fill) => {
  test.each(everyPath)('for a %s at %s', async (who, path) => {
    const page = await readerOf(who).visit(pathIn(madeUp.world, path));

    const answers = await sendEach(page, fill);

    expect(answers.flatMap(strangeIn)).toEqual([]);
  });
});
