import { msg } from '@lingui/core/macro';
import { aboutAccount } from './account';

export const password = aboutAccount({
  mails: msg`about your password`,
  sentence: msg`Your password was changed. If that was not you, ask for a new one on the login page now.`,
  mailSubject: msg`Your password was changed`,
});
