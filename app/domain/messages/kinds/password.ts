import { aboutAccount } from './account';

export const password = aboutAccount({
  mails: 'about your password',
  sentence: 'Your password was changed. If that was not you, ask for a new one on the login page now.',
  mailSubject: 'Your password was changed',
});
