import addressparser from 'nodemailer/lib/addressparser';
import type { Sender } from '../domain/messages/mail';

type MailTexts = { MAIL_URL?: string; MAIL_KEY?: string; MAIL_FROM?: string; PUBLIC_URL?: string };

/** A fault in the mail settings. The text never contains the setting's value, which may be a password. */
type SettingFault = { setting: keyof MailTexts; fault: string };

export function senderOf(from: string | undefined): Sender | undefined {
  const [first] = addressparser(from ?? '');
  if (!first || !('address' in first) || !/^[^\s@]+@[^\s@]+$/.test(first.address ?? '')) return undefined;
  return { name: first.name || 'Daybook', address: first.address as string };
}

const servers = ['smtp:', 'smtps:'];
const webSchemes = ['https:', 'http:'];
const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
const schemes = 'It begins with smtps://, smtp:// or https://.';

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

export function mailUrlFault(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return `MAIL_URL has no scheme. ${schemes}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url?.hostname) return 'MAIL_URL is no address of a mail server: smtps://user:password@host:465.';
  if (![...servers, ...webSchemes].includes(url.protocol))
    return `MAIL_URL can't begin with ${url.protocol}// ${schemes}`;
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'MAIL_URL begins with http://, so mail and MAIL_KEY would travel unencrypted. Begin it with https://.';
  const isSmtp = servers.includes(url.protocol);
  if (isSmtp && !(isEncoded(url.username) && isEncoded(url.password))) {
    return 'MAIL_URL has a % in its user or password: write it as %25.';
  }
  return undefined;
}

/** Reads an origin such as `https://book.example.org`; undefined if it is unset or no origin. */
export function publicOrigin(text: string | undefined): string | undefined {
  const url = text && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !webSchemes.includes(url.protocol) || url.username || url.password) return undefined;
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined;
}

/** Lists the faults in the mail settings. @param hasBinding true if the platform's own binding sends mail */
export function mailSettingFaults(
  { MAIL_URL, MAIL_FROM, PUBLIC_URL }: MailTexts,
  { hasBinding = false } = {},
): SettingFault[] {
  const faults: SettingFault[] = [];
  const urlFault = MAIL_URL && mailUrlFault(MAIL_URL);
  if (urlFault) faults.push({ setting: 'MAIL_URL', fault: urlFault });
  const example = 'Set it to who mail is from: Daybook <book@example.org>.';
  if (MAIL_FROM && !senderOf(MAIL_FROM))
    faults.push({ setting: 'MAIL_FROM', fault: `MAIL_FROM has no address. ${example}` });
  if (!MAIL_FROM && (MAIL_URL || hasBinding)) {
    faults.push({ setting: 'MAIL_FROM', fault: `MAIL_FROM is missing, so no mail can leave. ${example}` });
  }
  if (PUBLIC_URL && !publicOrigin(PUBLIC_URL)) {
    faults.push({
      setting: 'PUBLIC_URL',
      fault: 'PUBLIC_URL must be an address without a path, such as https://book.example.org.',
    });
  }
  return faults;
}
