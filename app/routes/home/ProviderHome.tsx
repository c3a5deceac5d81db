import type { ReactNode } from 'react';
import { ButtonLink, TextAction, TextLink } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { Face } from '../../components/Face';
import { AtTheDoor } from '../../components/forms/AnyTime';
import { PostForm, Submit } from '../../components/forms/Form';
import { Page } from '../../components/frame/Page';
import { ReleaseNotes } from '../../components/frame/ReleaseNotes';
import { ThreeSteps } from '../../components/frame/ThreeSteps';
import { QrCode, type QrSquares } from '../../components/QrCode';
import type { LineOf } from '../../components/times/AppointmentLine';
import { AppointmentLine, Lines } from '../../components/times/AppointmentLine';
import { BookingLink } from '../../components/times/BookingLink';
import { ClockTime, Leaf, TimeOf } from '../../components/times/Time';
import type { Door } from '../../domain/bookings/at-door';
import { isUpcoming } from '../../domain/calendar/today';
import type { Today } from '../../domain/calendar/today.server';
import type { Page as PageOf } from '../../domain/input/fields';
import { dateWords, type Instant, type LocalDate } from '../../domain/time/clock';
import * as paths from '../../paths';
import { WhoToBook } from '../people/WhoToBook';
import { Agenda } from './Agenda';
import { Confirmations, type Confirmed } from './Confirmations';
import { DayStrip } from './DayStrip';
import { NextClient } from './NextClient';
import { WhoCame } from './WhoCame';

type Shown = {
  booked: PageOf<LineOf>;
  canceled: PageOf<LineOf>;
  day: Today;
  services: string[];
  zone: string;
  /** True if nothing is booked and nothing is open. */
  isNew: boolean;
  /** True if people can book a time. */
  canBeBooked: boolean;
  /** True if something is booked, today or later. */
  hasAny: boolean;
  soon: string;
  confirmations: Confirmed;
  notices: { id: string; text: string; yours: string | null; link: string; who: string | null; at: string }[];
  unread: number;
  isMarked: boolean;
  freeWords: string;
  until: Instant;
  tomorrow: LocalDate;
  link: string;
  qr: QrSquares;
  atDoor: Door;
};

export function ProviderHome({
  booked,
  canceled,
  day,
  zone,
  soon,
  confirmations,
  link,
  qr,
  freeWords,
  isMarked,
  hasAny,
  isNew,
  canBeBooked,
  atDoor,
  services,
  ...news
}: Shown) {
  const { until: now, tomorrow } = news;
  const next = day.lines.find((line) => isUpcoming(line, now));
  const unmarked = day.lines.filter(({ endsAt, attendance }) => endsAt <= now && attendance === 'unknown');
  return (
    <Page title="Today" subtitle={dateWords(day.date).full}>
      <Confirmations confirmations={confirmations} />
      {isMarked && <Notice tone="good" title="It is marked." />}
      <div className="summary">
        <Leaf date={day.date} />
        <p>
          <Summary day={day} zone={zone} />
        </p>
        <div className="no-print flex flex-wrap gap-x-4 gap-y-2">
          <ButtonLink quiet to={paths.day()}>
            Day sheet
          </ButtonLink>
          {!isNew && (
            <TextAction icon="cancel" to={`${paths.hours({ away: 'week' })}#preview`}>
              Away next week
            </TextAction>
          )}
          {hasAny && canBeBooked && day.lines.length === 0 && (
            <ButtonLink to={paths.yourPage()}>Share your page</ButtonLink>
          )}
        </div>
      </div>
      <div className="no-print grid max-w-2xl gap-3">
        <WhoToBook label="Book for someone" />
        <p>
          <TextLink to={paths.bookAt()}>Somebody new</TextLink>
        </p>
      </div>
      <div className="desk">
        <div>
          {isNew && <ThreeSteps />}
          {next && <NextClient line={next} zone={zone} soon={soon} />}
          {day.strip.length > 0 && <DayStrip strip={day.strip} {...{ zone, now, services }} />}
          {!isNew && <AtTheDoor {...atDoor} />}
          <Card
            title={<a href={paths.booked()}>Booked</a>}
            aside={
              <span className="flex flex-wrap gap-x-4">
                <TextLink to={paths.booked()}>All booked appointments</TextLink>
                <TextLink to={paths.bookedAndCanceled()}>Booked and canceled</TextLink>
              </span>
            }
          >
            <Days booked={booked} today={day.date} tomorrow={tomorrow} />
            {!hasAny && (
              <Empty
                next={
                  canBeBooked ? (
                    <ButtonLink to={paths.yourPage()}>Share your page</ButtonLink>
                  ) : (
                    <ButtonLink quiet={isNew} to={paths.createTimes()}>
                      Create appointments
                    </ButtonLink>
                  )
                }
                about={
                  canBeBooked
                    ? 'You have free times. Share your page, and who books with you stands here.'
                    : 'Who books with you stands here, as soon as you have free times and share your page.'
                }
              >
                No Appointments
              </Empty>
            )}
          </Card>
          {canceled.rows.length > 0 && (
            <Card title="Canceled">
              <Agenda list={canceled} to={paths.providerView} />
            </Card>
          )}
        </div>
        <div>
          {unmarked.length > 0 && <WhoCame lines={unmarked} zone={zone} />}
          {news.notices.length > 0 && <News {...news} />}
          <Card title="Your booking page" aside={<TextLink to={paths.freeTimes()}>{freeWords}</TextLink>}>
            <BookingLink link={link} />
            <QrCode {...qr} />
          </Card>
        </div>
      </div>
      <ReleaseNotes />
    </Page>
  );
}

const count = (many: number, one: string, more: string) =>
  many > 1 ? `${many} ${more}` : `${many === 1 ? 'one' : 'no'} ${one}`;

function Summary({ day: { lines, free }, zone }: { day: Today; zone: string }): ReactNode {
  const [first] = lines;
  const end = Math.max(...lines.map(({ endsAt }) => endsAt));
  if (!first) {
    return free === 0
      ? 'Nothing is booked today, and nothing is free.'
      : `Nothing is booked today, ${count(free, 'time is', 'times are')} free.`;
  }
  return (
    <>
      {`You have ${count(lines.length, 'appointment', 'appointments')} today, ${count(free, 'time is', 'times are')} free. `}
      {'From '}
      <ClockTime at={first.startsAt} zone={zone} />
      {' to '}
      <TimeOf at={end} zone={zone} />.
    </>
  );
}

const News = ({ notices, unread, until }: Pick<Shown, 'notices' | 'unread' | 'until'>) => (
  <Card
    title="New for you"
    aside={<TextLink to={paths.news()}>{unread > notices.length ? 'All that is new' : 'All news'}</TextLink>}
  >
    <ul className="news">
      {notices.map(({ id, text, yours, link, who, at }) => (
        <li key={id}>
          <Face name={who ?? text} />
          <p>
            <a href={link}>{text}</a>
            {yours && <small>On your clock: {yours}</small>}
            <small>{at}</small>
          </p>
        </li>
      ))}
    </ul>
    <PostForm action={paths.news()}>
      <input type="hidden" name="until" value={until} />
      <input type="hidden" name="from" value="home" />
      <Submit quiet>Mark as read</Submit>
    </PostForm>
  </Card>
);

function Days({
  booked: { rows, hasMore },
  today,
  tomorrow,
}: Pick<Shown, 'booked' | 'tomorrow'> & { today: LocalDate }) {
  const soon = rows.filter(({ date }) => date <= today);
  const next = rows.filter(({ date }) => date === tomorrow);
  const later = rows.filter(({ date }) => date > tomorrow);
  return (
    <>
      <Group name="Today" lines={soon} />
      <Group name="Tomorrow" lines={next} />
      <Group name="Later" lines={later} />
      {hasMore && <TextLink to={paths.bookedAndCanceled()}>More</TextLink>}
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
          <AppointmentLine key={row.id} appointment={row} to={paths.providerView} />
        ))}
      </Lines>
    </div>
  );
}
