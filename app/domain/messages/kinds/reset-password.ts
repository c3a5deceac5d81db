import { msg } from '@lingui/core/macro';
import { aboutAccount } from './account';

export const resetPassword = aboutAccount({
  mails: msg`that let you back in`,
  sentence: msg`Somebody asked for a new password for your account. The page is good for one hour, once. If it was not you, do nothing.`,
  mailSubject: msg`A new password`,
  button: msg`Set a new password`,
  keyedLink: (_, links) => links.resetPassword(),
});
