import { useLoaderData } from '@remix-run/react';
import { AppointmentLine, type LineOf, Lines, lineOf } from '../components/AppointmentLine';
import { BookingLink } from '../components/BookingLink';
import { ButtonLink, TextLink } from '../components/Button';
import { Card, Empty, Notice } from '../components/Card';
import { CopyField } from '../components/CopyField';
import { PostForm, Submit } from '../components/Form';
import { Landing } from '../components/Landing';
import { Page } from '../components/Page';
import { ReleaseNotes } from '../components/ReleaseNotes';
import { listAgendaLines } from '../domain/appointments/appointments.server';
import { findPublished, type Published } from '../domain/appointments/publishing.server';
import { status } from '../domain/appointments/status';
import type { Page as PageOf } from '../domain/input/fields';
import { forGuests, type GuestsParty, type Invitation, type Party } from '../domain/parties/parties';
import { findParty } from '../domain/parties/parties.server';
import { dateWords } from '../domain/time/clock';
import { answerPage } from '../http/page.server';

export const meta = () => [
  { title: 'Daybook' },
  { name: 'description', content: 'Appointments, parties and meetups on any phone, with any connection.' },
];

export const loader = answerPage('anyone', async ({ db, actor, viewer, now }, { url }) => {
  if (!actor) return { isStatic: true as const };
  const isProvider = actor.role === 'Provider';
  const list = async (state: 1 | 2): Promise<PageOf<LineOf>> => {
    const { rows, hasMore } = await listAgendaLines(db, actor, { state, past: false, page: 0 }, now);
    return { rows: rows.map((row) => lineOf(row, isProvider)), hasMore };
  };
  const given = (name: string) => url.searchParams.get(name);
  const [key, partyId] = [given('published'), given('party') ?? given('rsvp')];
  const [standing, booked, canceled, published, found] = await Promise.all([
    viewer(),
    list(status.booked),
    isProvider ? list(status.canceled) : undefined,
    key ? findPublished(db, actor, key, now) : undefined,
    partyId ? findParty(db, actor, partyId) : undefined,
  ]);
  if (!standing) return { isStatic: true as const };
  const { username, role } = standing;
  const isHost = found?.party.providerId === standing.accountId;
  return {
    role,
    booked,
    canceled,
    link: `${url.origin}/view?provider=${username}`,
    just: {
      published,
      hosting: isHost && found ? { ...found.party, link: `${url.origin}/party/${found.party.id}` } : undefined,
      rsvp: !isHost && found?.own ? { ...forGuests(found.party), own: found.own } : undefined,
    },
  };
});

export default function Home() {
  const shown = useLoaderData<typeof loader>();
  if ('isStatic' in shown) return <Landing />;
  return shown.role === 'Provider' ? <ProviderHome {...shown} /> : <ConsumerHome {...shown} />;
}

type Just = {
  published?: Published;
  hosting?: Party & { link: string };
  rsvp?: GuestsParty & { own: Invitation };
};
type Shown = { booked: PageOf<LineOf>; canceled?: PageOf<LineOf>; just: Just };

/** What has just been done, with its next steps. */
function JustDone({ just: { published, hosting, rsvp } }: { just: Just }) {
  return (
    <>
      {published && <JustPublished published={published} />}
      {hosting && (
        <Notice
          tone="good"
          title={
            <>
              <bdi>{hosting.title}</bdi> is ready to be shared.
            </>
          }
        >
          <CopyField label="Link to share" value={hosting.link} />
          <div>
            <ButtonLink quiet to={`/view-party/${hosting.id}`}>
              See who is coming
            </ButtonLink>
          </div>
        </Notice>
      )}
      {rsvp && <JustRsvped party={rsvp} />}
    </>
  );
}

function JustRsvped({ party }: { party: GuestsParty & { own: Invitation } }) {
  const { accepted, plusOnes } = party.own;
  const title = accepted ? (
    <>
      You are going to <bdi>{party.title}</bdi>
      {plusOnes > 0 && `, with ${plusOnes} more`}.
    </>
  ) : (
    <>
      <bdi>{party.providerName}</bdi> knows that you can't come.
    </>
  );
  return (
    <Notice tone="good" title={title}>
      <p>{dateWords(party.date).full}</p>
      <div className="flex flex-wrap gap-3">
        {accepted && (
          <ButtonLink isFile to={`/party/${party.id}/daybook.ics`}>
            Add to calendar
          </ButtonLink>
        )}
        <ButtonLink quiet to={`/party/${party.id}`}>
          Change your answer
        </ButtonLink>
      </div>
    </Notice>
  );
}

function ProviderHome({ booked, canceled, just, link }: Shown & { link: string }) {
  return (
    <Page title="Home" subtitle="Your day, well kept">
      <JustDone just={just} />
      <Card
        title={<a href="/view-booked">Booked</a>}
        aside={<TextLink to="/view-booked">All booked appointments</TextLink>}
      >
        <Agenda list={booked} to="/view-provider" />
        {booked.rows.length === 0 && (
          <Empty next={<ButtonLink to="/create">Create appointments</ButtonLink>}>No Appointments</Empty>
        )}
      </Card>
      {canceled && canceled.rows.length > 0 && (
        <Card title="Canceled" aside={<TextLink to="/view-dash">Booked and canceled</TextLink>}>
          <Agenda list={canceled} to="/view-provider" />
        </Card>
      )}
      <Card title="Your booking page">
        <BookingLink link={link} />
      </Card>
      <ReleaseNotes />
    </Page>
  );
}

function JustPublished({ published: { created, skipped, publication, isUndone } }: { published: Published }) {
  if (isUndone) {
    return (
      <Notice tone="warn" title="What you published is withdrawn again.">
        <p>What was booked before that stays booked.</p>
        <div>
          <ButtonLink quiet to="/create">
            Create appointments
          </ButtonLink>
        </div>
      </Notice>
    );
  }
  const made = created === 1 ? 'One appointment is open for booking.' : `${created} appointments are open for booking.`;
  return (
    <Notice tone="good" title={made}>
      {skipped > 0 && (
        <p>
          {skipped === 1 ? 'One was' : `${skipped} were`} left out, because{' '}
          {skipped === 1 ? 'it overlaps' : 'they overlap'} a time you already have.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to="/view-open">See open slots</ButtonLink>
        {created > 0 && (
          <PostForm action="/view-open">
            <input type="hidden" name="publication" value={publication} />
            <Submit quiet>Undo: withdraw them</Submit>
          </PostForm>
        )}
      </div>
    </Notice>
  );
}

function ConsumerHome({ booked, just }: Shown) {
  return (
    <Page title="Home" subtitle="Your day, well kept">
      <JustDone just={just} />
      <Card title="Booked Appointments" aside={<TextLink to="/view-dash">Booked and canceled</TextLink>}>
        {booked.rows.length === 0 ? (
          <Empty next={<ButtonLink to="/view">Book an appointment</ButtonLink>}>No Appointments</Empty>
        ) : (
          <div>
            <ButtonLink to="/view">Book another</ButtonLink>
          </div>
        )}
        <Agenda list={booked} to="/details-cancel" />
      </Card>
      <ReleaseNotes />
    </Page>
  );
}

/** The first page of a list. */
function Agenda({ list, to }: { list: PageOf<LineOf>; to: '/view-provider' | '/details-cancel' }) {
  return (
    <>
      <Lines>
        {list.rows.map((row) => (
          <AppointmentLine key={row.id} appointment={row} to={to} />
        ))}
      </Lines>
      {list.hasMore && <TextLink to="/view-dash">More</TextLink>}
    </>
  );
}
