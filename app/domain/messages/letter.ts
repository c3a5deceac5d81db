import { formerName } from '../accounts/guests';
import { type Message, mailSubjectOf, sentenceOf, whenWordsFor } from './messages';

/** What a mail says, before anybody writes it as text or HTML: paragraphs, one button, and small print. */
export type Letter = {
  subject: string;
  paragraphs: string[];
  button: { label: string; href: string };
  /** Why this came, and how to end it. */
  small: string;
  unsubscribe: string | null;
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] as string);

/** The letter as plain text. */
export function asText({ paragraphs, button, small, unsubscribe }: Letter): string {
  const end = unsubscribe ? [`${small} To end these mails: ${unsubscribe}`] : [small];
  return `${[...paragraphs, `${button.label}: ${button.href}`, '-- ', ...end].join('\n\n')}\n`;
}

// Mail programs know no stylesheet files, and few know more than this. The colours are those of the screens.
const page = 'margin:0;padding:24px 12px;background:#f6f1e6;color:#2b2622;font:16px/1.5 system-ui,sans-serif';
const card = 'max-width:32rem;margin:0 auto;padding:24px;background:#fff;border:1px solid #d9cfbd;border-radius:12px';
const dark = `@media (prefers-color-scheme:dark){body{background:#1d1a17!important;color:#efe8dc!important}
.card{background:#2a2521!important;border-color:#4a423a!important}}`;

/** The letter as HTML that says the same; no picture, nothing to load. */
export function asHtml({ subject, paragraphs, button, small, unsubscribe }: Letter): string {
  const href = escapeHtml(button.href);
  const end = unsubscribe
    ? `${escapeHtml(small)} <a href="${escapeHtml(unsubscribe)}" style="color:inherit">To end these mails</a>`
    : escapeHtml(small);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${dark}</style></head>
<body style="${page}"><div class="card" style="${card}">
${paragraphs.map((words) => `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(words)}</p>`).join('\n')}
<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#a3262a;color:#fff;text-decoration:none">${escapeHtml(button.label)}</a></p>
<p style="margin:0;font-size:13px">${end}</p>
</div></body></html>
`;
}

const buttonOf = ({ subject, kind, isOwn }: Message) => {
  if (kind === 'confirm-email') return 'Confirm the address';
  if (kind === 'reset-password') return 'Set a new password';
  if (!subject) return 'Open Daybook';
  if (isOwn && subject.noun !== 'appointment') return 'See the answers';
  return subject.noun === 'appointment' ? 'See the appointment' : 'See the invitation';
};

/** Whoever has left has no name any more. */
const hostWords = ({ host }: Message) => (host === formerName ? 'your host' : host);

/**
 * The letter of a message, with its time in the reader's zone too where that differs.
 * @param href where its button leads @param unsubscribe where a POST ends this kind of mail; null where it can't be ended
 */
export function letterOf(
  message: Message,
  { readerZone, href, unsubscribe }: { readerZone: string; href: string; unsubscribe: string | null },
): Letter {
  const yours = message.subject && whenWordsFor(message.subject, readerZone);
  return {
    subject: mailSubjectOf(message),
    paragraphs: [sentenceOf(message), ...(yours ? [`On your clock: ${yours}.`] : [])],
    button: { label: buttonOf(message), href },
    small: message.invitationId
      ? `You get this mail because ${hostWords(message)} gave this address with your invitation.`
      : unsubscribe
        ? 'You get this mail because your address is confirmed at Daybook.'
        : 'You get this mail because this address was given to Daybook.',
    unsubscribe,
  };
}
