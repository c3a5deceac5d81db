import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Invitation } from './party-factories';
import type { Page } from './visit';

export const partyPath = ({ id }: { id: string }) => `/party/${id}`;
export const linkPath = ({ id, username }: Invitation) => `/meetup-rsvp/${id}?name=${encodeURIComponent(username)}`;

/** The words of each button of a letter, and whether it can be pressed. */
export const buttonsOf = (page: Page) =>
  page.$$('main button').map((button) => [button.text, button.hasAttribute('disabled') ? 'disabled' : 'enabled']);

/** The words of each link of a letter. */
export const linksOn = (page: Page) => page.$$('main a').map(({ text }) => text);

/** The styles in a letter's page, which its policy allows by their hash. */
export function stylesOf(page: Page): string {
  const [styles, ...others] = page.$$('style, [style]');
  expect([styles?.rawTagName, others]).toEqual(['style', []]);
  const hash = createHash('sha256')
    .update(styles?.text ?? '')
    .digest('base64');
  expect(page.headers.get('content-security-policy')).toContain(` 'sha256-${hash}'`);
  return styles?.text ?? '';
}

/** The classes on a letter that its styles don't know. */
export function classesWithoutStyle(page: Page): string[] {
  const styles = stylesOf(page);
  const used = new Set(page.$$('[class]').flatMap((element) => [...element.classList.value]));
  return [...used].filter((name) => !styles.includes(`.${name.replaceAll(/[^\w-]/g, '\\$&')}`));
}
