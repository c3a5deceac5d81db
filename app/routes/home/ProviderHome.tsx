import type { ReactNode } from 'react';
import type { LineOf } from '../../components/AppointmentLine';
import { AppointmentLine, Lines } from '../../components/AppointmentLine';
import { BookingLink } from '../../components/BookingLink';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { QrCode } from '../../components/QrCode';
import { ReleaseNotes } from '../../components/ReleaseNotes';
import type { Page as PageOf } from '../../domain/input/fields';
import type { ToldLine } from '../../domain/messages/told';
import type { Instant, LocalDate } from '../../domain/time/clock';
import { Agenda } from './Agenda';
import { type Just, JustDone } from './JustDone';

type Shown = {
  booked: PageOf<LineOf>;
  canceled: PageOf<LineOf>;
  just: Just;
  told: ToldLine[];
  unread: number;
  /** How many open times there are, in words. */
  openWords: string;
  until: Instant;
  today: LocalDate;
  tomorrow: LocalDate;
  link: string;
};

/** What a provider needs first: what is new, today and tomorrow, what is free, and the way to their page. */
export function ProviderHome({ booked, canceled, just, link, openWords, ...news }: Shown) {
  return (
    <Page title="Home" subtitle="Your day, well kept">
      <JustDone just={just} />
      {news.told.length > 0 && <News {...news} />}
      <Card
        title={<a href="/view-booked">Booked</a>}
        aside={
          <span className="flex flex-wrap gap-x-4">
            <TextLink to="/view-booked">All booked appointments</TextLink>
            <TextLink to="/view-dash">Booked and canceled</TextLink>
          </span>
        }
      >
        <Days booked={booked} {...news} />
        {booked.rows.length === 0 && (
          <Empty next={<ButtonLink to="/create">Create appointments</ButtonLink>}>No Appointments</Empty>
        )}
      </Card>
      {canceled.rows.length > 0 && (
        <Card title="Canceled">
          <Agenda list={canceled} to="/view-provider" />
        </Card>
      )}
      <Card title="Your booking page" aside={<TextLink to="/view-open">{openWords}</TextLink>}>
        <div className="flex flex-wrap items-center gap-6">
          <div className="grid min-w-0 flex-1 basis-72 gap-4">
            <BookingLink link={link} />
          </div>
          <QrCode link={link} />
        </div>
      </Card>
      <ReleaseNotes />
    </Page>
  );
}

/** What others have done since the reader has last marked the news as read. */
const News = ({ told, unread, until }: Pick<Shown, 'told' | 'unread' | 'until'>) => (
  <Card title="New for you" aside={<TextLink to="/news">{unread > told.length ? 'All of it' : 'All news'}</TextLink>}>
    <ul className="grid">
      {told.map(({ id, text, yours, link }) => (
        <li key={id} className="border-b border-dashed border-rule py-2 last:border-0">
          <TextLink to={link}>{text}</TextLink>
          {yours && <span className="block text-sm text-muted">On your clock: {yours}</span>}
        </li>
      ))}
    </ul>
    <PostForm action="/news">
      <input type="hidden" name="until" value={until} />
      <input type="hidden" name="from" value="home" />
      <Submit quiet>I have seen it</Submit>
    </PostForm>
  </Card>
);

/** What is booked: today, tomorrow, and later. */
function Days({ booked: { rows, hasMore }, today, tomorrow }: Pick<Shown, 'booked' | 'today' | 'tomorrow'>) {
  // What is still going on since yesterday is today's.
  const soon = rows.filter(({ date }) => date <= today);
  const next = rows.filter(({ date }) => date === tomorrow);
  const later = rows.filter(({ date }) => date > tomorrow);
  return (
    <>
      <Group name="Today" lines={soon} />
      <Group name="Tomorrow" lines={next} />
      <Group name="Later" lines={later} />
      {hasMore && <TextLink to="/view-dash">More</TextLink>}
    </>
  );
}

function Group({ name, lines }: { name: string; lines: LineOf[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <div>
      <p className="font-semibold text-muted">{`${name}: ${lines.length}`}</p>
      <Lines>
        {lines.map((row) => (
          <AppointmentLine key={row.id} appointment={row} to="/view-provider" />
        ))}
      </Lines>
    </div>
  );
}
