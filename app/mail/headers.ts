import type { Mail, Sender } from '../domain/messages/mail';

/** Headers for programs, the same on each transport. */
export const headersOf = ({ id, unsubscribe }: Mail, { address }: Sender) => ({
  // Each try to send the mail has the same id.
  'Message-ID': `<${id}@${address.split('@')[1]}>`,
  // Asks for no out-of-office reply (RFC 3834).
  'Auto-Submitted': 'auto-generated',
  ...(unsubscribe && {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});
