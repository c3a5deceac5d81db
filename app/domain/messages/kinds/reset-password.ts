import { aboutAccount } from './account';

export const resetPassword = aboutAccount({
  mails: 'that let you back in',
  sentence:
    'Somebody asked for a new password for your account. The page is good for one hour, once. If it was not you, do nothing.',
  mailSubject: 'A new password',
  button: 'Set a new password',
});
