import type { Mail, Sender } from '../domain/messages/mail';

/** What a mail says to programs, by whichever way it leaves. */
export const headersOf = ({ id, unsubscribe }: Mail, { address }: Sender) => ({
  // The same for each try.
  'Message-ID': `<${id}@${address.split('@')[1]}>`,
  // No out-of-office reply is wanted (RFC 3834).
  'Auto-Submitted': 'auto-generated',
  ...(unsubscribe && {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }),
});
