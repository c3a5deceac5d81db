import { aboutAccount } from './account';

export const factorOn = aboutAccount({
  mails: 'about the second factor of your login',
  sentence:
    'Your login now asks for a code of your authenticator app as well. If that was not you, set a new password now.',
  mailSubject: 'Your login asks for a code now',
});
