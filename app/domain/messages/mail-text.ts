import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { formerName } from '../profile/former';
import { whenWordsFor } from '../time/when-words';
import { isRightToLeft } from '../words/languages';
import { worded } from '../words/worded';
import type { Words } from '../words/words';
import { buttonOf, type Message, mailSubjectOf, sentenceOf } from './messages';

export type MailText = {
  subject: string;
  paragraphs: string[];
  button: { label: string; href: string };
  /** A second link. */
  again: { label: string; href: string } | null;
  /** Why this mail came. */
  small: string;
  unsubscribe: string | null;
  /** The link that ends all mail to an unconfirmed address. */
  notMe: string | null;
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] as string);

const notMeWords = msg`This was not me`;
const endWords = msg`To end these mails`;

const notMeHtml = (href: string, label: string) =>
  `<p style="margin:12px 0 0;font-size:13px"><a href="${escapeHtml(href)}" style="color:inherit">${escapeHtml(label)}</a></p>`;

const againHtml = ({ label, href }: { label: string; href: string }) =>
  `<p style="margin:0 0 24px"><a href="${escapeHtml(href)}" style="color:inherit">${escapeHtml(label)}</a></p>`;

export function asText({ paragraphs, button, again, small, unsubscribe, notMe }: MailText, i18n: I18n): string {
  const end = [
    unsubscribe ? `${small} ${worded(i18n, endWords)}: ${unsubscribe}` : small,
    ...(notMe ? [`${worded(i18n, notMeWords)}: ${notMe}`] : []),
  ];
  const links = [button, ...(again ? [again] : [])].map(({ label, href }) => `${label}: ${href}`);
  return `${[...paragraphs, ...links, '-- ', ...end].join('\n\n')}\n`;
}

const page = 'margin:0;padding:24px 12px;background:#f6f1e6;color:#2b2622;font:16px/1.5 system-ui,sans-serif';
const card = 'max-width:32rem;margin:0 auto;padding:24px;background:#fff;border:1px solid #d9cfbd;border-radius:12px';
const dark = `@media (prefers-color-scheme:dark){body{background:#1d1a17!important;color:#efe8dc!important}
.card{background:#2a2521!important;border-color:#4a423a!important}}`;

export function asHtml(
  { subject, paragraphs, button, again, small, unsubscribe, notMe }: MailText,
  i18n: I18n,
): string {
  const href = escapeHtml(button.href);
  const end = unsubscribe
    ? `${escapeHtml(small)} <a href="${escapeHtml(unsubscribe)}" style="color:inherit">${escapeHtml(worded(i18n, endWords))}</a>`
    : escapeHtml(small);
  return `<!doctype html>
<html lang="${i18n.locale}"${isRightToLeft(i18n.locale) ? ' dir="rtl"' : ''}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${dark}</style></head>
<body style="${page}"><div class="card" style="${card}">
${paragraphs.map((words) => `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(words)}</p>`).join('\n')}
<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#a3262a;color:#fff;text-decoration:none">${escapeHtml(button.label)}</a></p>${again ? `\n${againHtml(again)}` : ''}
<p style="margin:0;font-size:13px">${end}</p>${notMe ? `\n${notMeHtml(notMe, worded(i18n, notMeWords))}` : ''}
</div></body></html>
`;
}

function greetingWords(name: string): Words {
  return name && name !== formerName ? msg`Hello ${name},` : msg`Hello,`;
}

function whyWords({ host, invitationId }: Message, { isHosts, unsubscribe, notMe }: TextFacts): Words {
  if (isHosts && invitationId) {
    return host
      ? msg`You get this mail because ${host} gave this address with your invitation.`
      : msg`You get this mail because your host gave this address with your invitation.`;
  }
  return unsubscribe && !notMe
    ? msg`You get this mail because your address is confirmed at Daybook.`
    : msg`You get this mail because this address was given to Daybook.`;
}

type TextFacts = {
  readerName: string;
  readerZone: string;
  /** What is said of the appointment besides. */
  paragraphs: string[];
  /** False from the moment on at which a client can change the appointment no more. */
  canChange: boolean;
  href: string;
  again: string | null;
  /** A POST there ends this kind of mail; null for mail that can't be ended. */
  unsubscribe: string | null;
  notMe: string | null;
  /** The host typed the address. */
  isHosts: boolean;
};

/** @param i18n words it in the reader's language */
export function mailTextOf(message: Message, facts: TextFacts, i18n: I18n): MailText {
  const { readerName, readerZone, paragraphs, canChange, href, again, unsubscribe, notMe } = facts;
  const { subject } = message;
  const ownTime = subject && whenWordsFor(subject, readerZone);
  const words = (described: Words) => worded(i18n, described);
  return {
    subject: words(mailSubjectOf(message, readerZone)),
    paragraphs: [
      ...(subject ? [words(greetingWords(readerName))] : []),
      words(sentenceOf(message)),
      ...(ownTime ? [words(msg`On your clock: ${ownTime}.`)] : []),
      ...paragraphs,
    ],
    button: { label: words(buttonOf(message, canChange)), href },
    again: again === null ? null : { label: words(msg`Book another time`), href: again },
    small: words(whyWords(message, facts)),
    unsubscribe,
    notMe,
  };
}
