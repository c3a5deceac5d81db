import type { Mail, Sender } from '../domain/messages/mail';

/** For programs; the same for each transport. */
export const headersOf = ({ id, unsubscribe }: Mail, { address }: Sender) => ({
  // The same at each try.
  'Message-ID': `<${id}@${address.split('@')[1]}>`,
  // No out-of-office reply is wanted (RFC 3834).
  'Auto-Submitted': 'auto-generated',
  ...(unsubscribe && {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});
