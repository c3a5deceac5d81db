import { msg } from '@lingui/core/macro';
import { aboutAccount } from './account';

export const key = aboutAccount({
  mails: msg`about the keys of your programs`,
  sentence: msg`A key was made with which a program can use your account. If that was not you, end it in your profile and set a new password now.`,
  mailSubject: msg`A key for a program was made`,
});
