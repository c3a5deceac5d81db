import { msg } from '@lingui/core/macro';
import { aboutAccount } from './account';

export const email = aboutAccount({
  mails: msg`about your e-mail address`,
  sentence: msg`Your e-mail address was changed or removed.`,
  mailSubject: msg`Your e-mail address was changed`,
});
