import { regionOfLanguages, weekStartIn } from '../domain/time/week-start';
import { type Locale, regionOf } from '../domain/words/languages';

/**
 * The day on which the reader's weeks begin, 0 (Sunday) to 6: by the region of their language, or their country where it
 * names none.
 */
export function weekStartOf(request: Request, { language, tag }: Locale): number {
  const { cf, headers } = request as { cf?: { country?: string }; headers: Headers };
  // Tor's is T1.
  const country = /^[A-Z]{2}$/.exec(cf?.country ?? '')?.[0];
  const region = regionOf(tag) ?? country ?? regionOfLanguages(headers.get('Accept-Language') ?? '');
  return weekStartIn(language, region);
}
