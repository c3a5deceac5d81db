import { msg, plural } from '@lingui/core/macro';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { Landing } from '../components/frame/Landing';
import { i18nOfPage } from '../components/frame/page-language';
import { languageLinks } from '../components/frame/public-page';
import { type LineOf, lineOf } from '../components/times/AppointmentLine';
import { listAgendaLines } from '../domain/bookings/agenda.server';
import { type ListedAppointment, mostCounted, type OwnLine } from '../domain/bookings/appointments';
import { doorOf } from '../domain/bookings/at-door';
import { listCalledOff, listCancellations } from '../domain/bookings/cancellations.server';
import { findNextAppointment } from '../domain/bookings/next.server';
import { status } from '../domain/bookings/status';
import { isUpcoming, soonWords } from '../domain/calendar/today';
import { readToday } from '../domain/calendar/today.server';
import type { Page as PageOf } from '../domain/input/fields';
import { briefOf, faceOf, linkOf } from '../domain/messages/messages';
import { listNewest, listUnseen } from '../domain/messages/news.server';
import { noticeLine } from '../domain/messages/notices';
import { forGuests } from '../domain/parties/parties';
import { findParty } from '../domain/parties/parties.server';
import { withText } from '../domain/people/texts.server';
import { isOwnedBy } from '../domain/profile/accounts';
import { qrCodeOf } from '../domain/qr-code.server';
import { listServices } from '../domain/services/services.server';
import { countOpenSlots } from '../domain/slots/open-count.server';
import { findPublished } from '../domain/slots/publish.server';
import { addDays, knownZone, localDateOf } from '../domain/time/clock';
import { agoWords, whenWordsFor } from '../domain/time/when-words';
import { worded } from '../domain/words/worded';
import type { Words } from '../domain/words/words';
import { pageLoader } from '../http/page.server';
import { senderOf } from '../http/sender.server';
import * as paths from '../paths';
import { ConsumerHome } from './home/ConsumerHome';
import { ProviderHome } from './home/ProviderHome';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: 'Daybook' },
  {
    name: 'description',
    content: worded(i18nOfPage(data), msg`Appointments, parties and meetups on any phone, with any connection.`),
  },
  ...(data && 'isLanding' in data ? languageLinks(data.address) : []),
];

const landing = ({ origin }: URL) => ({ isLanding: true as const, address: origin + paths.home() });

export const loader = pageLoader('anyone', async (context, { url }) => {
  const { db, actor, viewer, now } = context;
  if (!actor) return landing(url);
  const isProvider = actor.role === 'Provider';
  const linesOf = ({ rows, hasMore }: PageOf<ListedAppointment | OwnLine>): PageOf<LineOf> => ({
    rows: rows.map((row) => lineOf(row, isProvider)),
    hasMore,
  });
  const parameter = (name: string) => url.searchParams.get(name);
  const [key, partyId] = [parameter('published'), parameter('party') ?? parameter('rsvp')];
  const [reader, booked, canceled, published, found, unseen, open, day, next, services] = await Promise.all([
    viewer(),
    listAgendaLines(db, actor, { state: status.booked, past: false, page: 0 }, now),
    isProvider ? listCancellations(db, actor, 0, now) : listCalledOff(db, actor, 0, now),
    key ? findPublished(db, actor, key, now) : undefined,
    partyId ? findParty(db, actor, partyId) : undefined,
    isProvider ? listNewest(db, actor) : listUnseen(db, actor, 'appointments'),
    isProvider ? countOpenSlots(db, actor, now) : null,
    isProvider ? readToday(db, actor, now) : null,
    isProvider ? null : findNextAppointment(db, actor, now),
    isProvider ? listServices(db, actor) : [],
  ]);
  if (!reader) return landing(url);
  const { username } = reader;
  const isHost = found !== undefined && isOwnedBy(reader, found.party);
  const zone = actor.timeZone;
  const confirmations = {
    published,
    hosting: isHost && found ? { ...found.party, link: url.origin + paths.party(found.party.id) } : undefined,
    rsvp: !isHost && found?.own ? { ...forGuests(found.party), own: found.own } : undefined,
  };
  if (!day || !open) {
    // A cancellation appears once: as news until it is marked as seen, then in the list.
    const idsInNews = new Set(unseen.map(({ subject }) => subject?.id));
    return {
      next: next && {
        ...next,
        soon: soonWords({ ...next, date: localDateOf(next.startsAt, knownZone(zone) ?? next.timeZone) }, now),
      },
      booked: linesOf(booked),
      canceled: linesOf({ ...canceled, rows: canceled.rows.filter(({ id }) => !idsInNews.has(id)) }),
      notices: unseen.flatMap((message) => noticeLine(message, zone) ?? []),
      confirmations,
    };
  }
  const link = url.origin + paths.provider(username ?? '');
  const shown = new Set(day.lines.map(({ id }) => id));
  const hasAny = booked.rows.length > 0;
  const upcoming = day.lines.find((line) => isUpcoming(line, now));
  return {
    day: { ...day, lines: day.lines.map(({ about: _, ...line }) => line) },
    text: upcoming ? (await withText(await senderOf(context, url), upcoming)).text : null,
    zone,
    soon: upcoming ? soonWords(upcoming, now) : '',
    hasAny,
    isNew: !hasAny && !open.hasOpen,
    canBeBooked: open.bookable > 0,
    // Today's bookings are in the strip already.
    booked: linesOf({ ...booked, rows: booked.rows.filter(({ id }) => !shown.has(id)) }),
    canceled: linesOf(canceled),
    notices: unseen.map((message) => ({
      id: message.id,
      text: briefOf(message),
      yours: message.subject && whenWordsFor(message.subject, zone),
      link: linkOf(message),
      who: faceOf(message),
      at: agoWords(message.at, now, zone),
    })),
    unread: reader.unread,
    isMarked: url.searchParams.has('marked'),
    freeWords: freeWords(open.bookable),
    until: now,
    services: services.map(({ name }) => name),
    atDoor: doorOf(services, zone, now),
    tomorrow: addDays(day.date, 1),
    link,
    qr: qrCodeOf(link),
    confirmations,
  };
});

function freeWords(bookable: number): Words {
  if (bookable === 0) return msg`No free times`;
  return bookable < mostCounted
    ? msg({
        message: plural({ count: bookable }, { '=1': 'One free time', one: '# free time', other: '# free times' }),
      })
    : msg({ message: plural({ count: mostCounted }, { one: '# free time or more', other: '# free times or more' }) });
}

export default function Home() {
  const shown = useLoaderData<typeof loader>();
  if ('isLanding' in shown) return <Landing />;
  return 'day' in shown ? <ProviderHome {...shown} /> : <ConsumerHome {...shown} />;
}
