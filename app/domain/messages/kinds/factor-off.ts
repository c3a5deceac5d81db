import { aboutAccount } from './account';

export const factorOff = aboutAccount({
  mails: 'about the second factor of your login',
  sentence: 'Your login no longer asks for a code. If that was not you, set a new password now.',
  mailSubject: 'Your login no longer asks for a code',
});
