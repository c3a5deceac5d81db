import { aboutAccount } from './account';

export const email = aboutAccount({
  mails: 'about your e-mail address',
  sentence: 'Your e-mail address was changed or removed.',
  mailSubject: 'Your e-mail address was changed',
});
