import { findFeed } from '../../domain/calendar/feeds.server';
import { calendarText } from '../../domain/calendar/ics.server';
import { notFound } from '../../domain/not-found';
import { calendarFeed, knownVersions } from '../../http/calendar.server';
import { fileLoader } from '../../http/page.server';

/** Serves a feed to anybody with its key. With the key of a busy feed, or with `busy=true`, it shows only times. */
export const loader = fileLoader(
  'anyone',
  async ({ db, now, wordsIn }, { params: { feed: name = '' }, request, url }) => {
    const [, key] = /^([\w-]+)\.ics$/i.exec(name) ?? [];
    const asksBusy = url.searchParams.get('busy') === 'true';
    const feedRequest = key && { key, asksBusy, known: knownVersions(request), origin: url.origin, wordsIn };
    const feed = feedRequest && (await findFeed(db, feedRequest, now));
    if (!feed) throw notFound('calendar');
    return calendarFeed(feed.entries && calendarText(feed.entries, 'PUBLISH', feed.name), feed.version);
  },
);
