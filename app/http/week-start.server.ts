import { regionOfLanguages, weekStartIn } from '../domain/time/week-start';

/** The day on which the reader's weeks begin, 0 (Sunday) to 6: by their country, or by their language. */
export function weekStartOf(request: Request): number {
  const { cf, headers } = request as { cf?: { country?: string }; headers: Headers };
  return weekStartIn(cf?.country ?? regionOfLanguages(headers.get('Accept-Language') ?? ''));
}
