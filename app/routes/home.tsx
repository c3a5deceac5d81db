import { useLoaderData } from '@remix-run/react';
import { type LineOf, lineOf } from '../components/AppointmentLine';
import { Landing } from '../components/Landing';
import { listAgendaLines } from '../domain/appointments/agenda.server';
import { type ListedAppointment, mostCounted, type OwnLine } from '../domain/appointments/appointments';
import { listCalledOff, listCancellations } from '../domain/appointments/cancellations.server';
import { countOpenSlots } from '../domain/appointments/open-count.server';
import { findPublished } from '../domain/appointments/publishing.server';
import { status } from '../domain/appointments/status';
import type { Page as PageOf } from '../domain/input/fields';
import { listNewest, listUnseen } from '../domain/messages/news.server';
import { toldLine } from '../domain/messages/told';
import { forGuests } from '../domain/parties/parties';
import { findParty } from '../domain/parties/parties.server';
import { addDays } from '../domain/time/clock';
import { todayIn } from '../domain/time/zones';
import { answerPage } from '../http/page.server';
import { ConsumerHome } from './home/ConsumerHome';
import { ProviderHome } from './home/ProviderHome';

export const meta = () => [
  { title: 'Daybook' },
  { name: 'description', content: 'Appointments, parties and meetups on any phone, with any connection.' },
];

export const loader = answerPage('anyone', async ({ db, actor, viewer, now }, { url }) => {
  if (!actor) return { isStatic: true as const };
  const isProvider = actor.role === 'Provider';
  const linesOf = ({ rows, hasMore }: PageOf<ListedAppointment | OwnLine>): PageOf<LineOf> => ({
    rows: rows.map((row) => lineOf(row, isProvider)),
    hasMore,
  });
  const given = (name: string) => url.searchParams.get(name);
  const [key, partyId] = [given('published'), given('party') ?? given('rsvp')];
  const [standing, booked, canceled, published, found, unseen, open] = await Promise.all([
    viewer(),
    listAgendaLines(db, actor, { state: status.booked, past: false, page: 0 }, now),
    isProvider ? listCancellations(db, actor, 0, now) : listCalledOff(db, actor, 0, now),
    key ? findPublished(db, actor, key, now) : undefined,
    partyId ? findParty(db, actor, partyId) : undefined,
    isProvider ? listNewest(db, actor) : listUnseen(db, actor, 'appointments'),
    isProvider ? countOpenSlots(db, actor, now) : 0,
  ]);
  if (!standing) return { isStatic: true as const };
  const { username, role } = standing;
  const today = todayIn(actor.timeZone, now);
  const isHost = found?.party.providerId === standing.accountId;
  return {
    role,
    booked: linesOf(booked),
    canceled: linesOf(canceled),
    told: unseen.map((message) => toldLine(message, actor.timeZone)),
    unread: standing.unread,
    openWords: openWords(open),
    until: now,
    today,
    tomorrow: addDays(today, 1),
    link: `${url.origin}/with/${username}`,
    just: {
      published,
      hosting: isHost && found ? { ...found.party, link: `${url.origin}/party/${found.party.id}` } : undefined,
      rsvp: !isHost && found?.own ? { ...forGuests(found.party), own: found.own } : undefined,
    },
  };
});

function openWords(open: number): string {
  if (open === 0) return 'Nothing is open';
  if (open === 1) return 'One open time';
  return open < mostCounted ? `${open} open times` : `${mostCounted} open times or more`;
}

export default function Home() {
  const shown = useLoaderData<typeof loader>();
  if ('isStatic' in shown) return <Landing />;
  return shown.role === 'Provider' ? <ProviderHome {...shown} /> : <ConsumerHome {...shown} />;
}
