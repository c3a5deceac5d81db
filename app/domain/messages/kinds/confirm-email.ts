import { aboutAccount } from './account';

export const confirmEmail = aboutAccount({
  mails: 'that ask whether an address is yours',
  sentence: 'Somebody gave this address to Daybook. If it was you, open the page and confirm it; else do nothing.',
  mailSubject: 'Is this your address?',
  button: 'Confirm the address',
});
