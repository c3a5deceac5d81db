import type { Framed } from '../domain/calendar/framing.server';
import { qrCodeOf } from '../domain/qr-code.server';
import { localeOf } from '../domain/words/languages';
import * as paths from '../paths';

// Other sites show a provider's page in a frame, from the first page to the booking. Browsers keep the cookies of a frame from
// it, and it must not be seen as somebody's own page, where one click could mean another. So its pages are addressed with
// `?framed`: they are as for a stranger without cookies, they set none, they load no script, and a header names the sites that
// may show them. All other pages may be shown by none.

/** A page in a frame. */
export type Frame = {
  of: Framed;
  isPreview: boolean; // shown on a screen of ours, and by no other site
  /** What each address in the frame has in its query, because no cookie keeps it. */
  query: [name: string, value: string][];
};

const parameter = 'framed';
const previewValue = 'preview';

/** The page of a provider or a shop for their own site: its link, the same as a QR code, in a frame, and in one on our screens. */
export function pageForSite(origin: string, username: string) {
  const link = origin + paths.provider(username);
  return {
    link,
    qr: qrCodeOf(link),
    frame: origin + paths.provider(username, { [parameter]: '' }),
    preview: paths.provider(username, { [parameter]: previewValue }),
  };
}

// A provider's page, a time or the line of those who wait, and in a shop a start with anyone.
const steps = /^\/with\/([\w.-]+)(?:\/[\w-]+|\/at\/[\w:.%-]+)?\/?$/i;
const personalLinks = /^\/(booking|waiting)\/([\w-]+)\/?$/i;

function framedAt(pathname: string): Framed | null {
  const username = steps.exec(pathname)?.[1];
  if (username) return { username };
  const [, kind, key] = personalLinks.exec(pathname) ?? [];
  if (!kind || !key) return null;
  return kind.toLowerCase() === 'booking' ? { bookingKey: key } : { wishKey: key };
}

/** Reads from the address whether a page is shown in a frame. */
export function frameOf({ url }: Request): Frame | null {
  // The name may be encoded, so it is looked for in what is decoded.
  if (!url.includes('?') || !URL.canParse(url)) return null;
  const { pathname, searchParams } = new URL(url);
  const value = searchParams.get(parameter);
  const of = value === null ? null : framedAt(pathname);
  if (!of) return null;
  const isPreview = value === previewValue;
  const lang = localeOf(searchParams.get('lang'))?.tag;
  return {
    of,
    isPreview,
    query: [[parameter, isPreview ? previewValue : ''], ...(lang ? [['lang', lang] as [string, string]] : [])],
  };
}

/** The request as a stranger's browser would send it that keeps no cookies. */
export function withoutCookies(request: Request): Request {
  if (!request.headers.has('Cookie')) return request;
  const headers = new Headers(request.headers);
  headers.delete('Cookie');
  return new Request(request, { headers });
}

// Any host, because only paths are looked at.
const here = 'http://frame.invalid';

/** The address of the next page in the frame; null if it is none of a frame. */
function inFrame(address: string, { query }: Frame): string | null {
  if (!address.startsWith('/') || !URL.canParse(address, here)) return null;
  const url = new URL(address, here);
  if (url.origin !== here || !framedAt(url.pathname)) return null;
  for (const [name, value] of query) if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url.pathname + url.search + url.hash;
}

const unescaped = (attribute: string) => attribute.replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
const escaped = (address: string) => address.replaceAll('&', '&amp;');

// A personal link opens in a tab of its own, where it can be kept; its page in the frame links to itself only in other languages.
const staysInFrame = (href: string) => steps.test(href.replace(/[?#].*/, '')) || /[?&]framed/.test(href);

function framedLink(tag: string, href: string, frame: Frame): string {
  const next = staysInFrame(href) ? inFrame(href, frame) : null;
  if (next) return tag.replace(/ href="[^"]*"/, () => ` href="${escaped(next)}"`);
  // Others lead to an app or to a place on the page.
  if (!/^(\/|https?:)/.test(href)) return tag;
  return `${tag.slice(0, -1)} target="_blank"${tag.includes(' rel="') ? '' : ' rel="noopener"'}>`;
}

/** The page with links and forms that lead to the next page in the frame, or to a tab of their own. */
export const framedPage = (page: string, frame: Frame): string =>
  page.replace(/<(a|form) [^>]*>/g, (tag, name: string) => {
    const address = / (?:href|action)="([^"]*)"/.exec(tag)?.[1];
    if (address === undefined) return tag;
    if (name === 'a') return framedLink(tag, unescaped(address), frame);
    const next = inFrame(unescaped(address), frame);
    return next ? tag.replace(/ action="[^"]*"/, () => ` action="${escaped(next)}"`) : tag;
  });

/** Keeps the page to which a response redirects in the frame. */
export function redirectInFrame({ headers }: Response, frame: Frame): void {
  const location = headers.get('Location');
  const next = location && inFrame(location, frame);
  if (next) headers.set('Location', next);
}
