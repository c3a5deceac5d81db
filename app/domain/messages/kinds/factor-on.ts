import { msg } from '@lingui/core/macro';
import { aboutAccount } from './account';

export const factorOn = aboutAccount({
  mails: msg`about the second factor of your login`,
  sentence: msg`Your login now asks for a code of your authenticator app as well. If that was not you, set a new password now.`,
  mailSubject: msg`Your login asks for a code now`,
});
