import { msg } from '@lingui/core/macro';
import { aboutAccount } from './account';

export const factorOff = aboutAccount({
  mails: msg`about the second factor of your login`,
  sentence: msg`Your login no longer asks for a code. If that was not you, set a new password now.`,
  mailSubject: msg`Your login no longer asks for a code`,
});
