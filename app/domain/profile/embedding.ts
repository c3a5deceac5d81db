import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { invalid } from '../errors';
import { fault } from '../input/fields';
import { limits } from '../input/limits';
import type { Words } from '../words/words';

// Sites name themselves by their origin. It goes into a header, where a blank, a semicolon or an asterisk would say more
// than one site.
const httpsOrigin = /^https:\/\/[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*(:\d{1,5})?$/;
const originOfThisMachine = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;
// Nothing follows the host and its port, and nobody stands before them.
const bare = /^https?:\/\/[^\s/\\?#@]+$/i;

const longestShown = 100;

const isOfThisMachine = (origin: string) => originOfThisMachine.test(origin);

const noSite = (site: string): Words =>
  msg`“${site}” is no site. Write it like https://www.example.org, with https and without a page.`;

/** The origin as browsers write it: in small letters, in ASCII, without the usual port. Null for all else. */
function originOf(typed: string): string | null {
  if (!bare.test(typed) || !URL.canParse(typed)) return null;
  const { origin } = new URL(typed);
  return origin.length <= limits.site && (httpsOrigin.test(origin) || isOfThisMachine(origin)) ? origin : null;
}

const tooMany = fault(msg`At most ${limits.embedOn} sites can show your page.`);

/**
 * Sites of this machine may show the pages of a local server, and no others.
 * @throws DomainError invalid
 */
export function refuseOwnSites(sites: string[] = [], { isLocal = false }: { isLocal?: boolean }): void {
  const own = isLocal ? undefined : sites.find(isOfThisMachine);
  if (own) throw invalid('embedOn', noSite(own));
}

/** The sites that may show a provider's page in a frame: their origins, each once. */
export const embedOn = z
  .pipe(
    z.array(z.string(fault(msg`A site must be text.`)), fault(msg`Sites must be a list.`)),
    z.transform((typed, context) => {
      const origins = typed.map(originOf);
      const wrong = typed.find((_, place) => origins[place] === null);
      if (wrong !== undefined) {
        context.issues.push({ code: 'custom', input: typed, message: fault(noSite(wrong.slice(0, longestShown))) });
      }
      const sites = [...new Set(origins.filter((origin) => origin !== null))];
      if (sites.length > limits.embedOn) context.issues.push({ code: 'custom', input: typed, message: tooMany });
      return sites;
    }),
  )
  .register(z.globalRegistry, {
    type: 'array',
    items: { type: 'string' },
    maxItems: limits.embedOn,
  });
