import type { Invitation } from './party-factories';
import type { Page } from './visit';

/* The letters of parties and meetups, as the tests open and read them. */

export const partyPath = ({ id }: { id: string }) => `/party/${id}`;
export const linkPath = ({ id, username }: Invitation) => `/meetup-rsvp/${id}?name=${encodeURIComponent(username)}`;

/** The words of each button of a letter, and whether it can be pressed. */
export const buttonsOf = (page: Page) =>
  page.$$('main button').map((button) => [button.text, button.hasAttribute('disabled') ? 'disabled' : 'enabled']);
