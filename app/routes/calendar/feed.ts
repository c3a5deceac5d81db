import { msg } from '@lingui/core/macro';
import { findFeed } from '../../domain/calendar/feeds.server';
import { calendarText } from '../../domain/calendar/ics.server';
import { notFound } from '../../domain/errors';
import { english } from '../../domain/words/english';
import { worded } from '../../domain/words/worded';
import { calendarFeed, knownVersions } from '../../http/calendar.server';
import { fileLoader } from '../../http/page.server';

/** Serves a feed to anybody with its key. With the key of a busy feed, or with `busy=true`, it shows only times. */
export const loader = fileLoader('anyone', async ({ db, now }, { params: { feed: name = '' }, request, url }) => {
  const [, key] = /^([\w-]+)\.ics$/i.exec(name) ?? [];
  const i18n = english;
  const asksBusy = url.searchParams.get('busy') === 'true';
  const feedRequest = key && { key, asksBusy, known: knownVersions(request), origin: url.origin, i18n };
  const feed = feedRequest && (await findFeed(db, feedRequest, now));
  if (!feed) throw notFound('calendar');
  const { version, isBusy, entries } = feed;
  const title = isBusy ? worded(i18n, msg`Daybook: busy`) : 'Daybook';
  return calendarFeed(entries && calendarText(entries, 'PUBLISH', title), version);
});
