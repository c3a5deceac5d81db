import { msg } from '@lingui/core/macro';
import { aboutAccount } from './account';

export const confirmEmail = aboutAccount({
  mails: msg`that ask whether an address is yours`,
  sentence: msg`Somebody gave this address to Daybook. If it was you, open the page and confirm it; else do nothing.`,
  mailSubject: msg`Is this your address?`,
  button: msg`Confirm the address`,
  keyedLink: (_, links) => links.confirmEmail(),
  mail: { isQuestion: true },
});
