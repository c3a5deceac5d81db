import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { ButtonLink, TextAction, TextLink } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { Face } from '../../components/Face';
import { AtTheDoor } from '../../components/forms/AnyTime';
import { PostForm, Submit } from '../../components/forms/Form';
import { Page } from '../../components/frame/Page';
import { ReleaseNotes } from '../../components/frame/ReleaseNotes';
import { useShell } from '../../components/frame/shell';
import { ThreeSteps } from '../../components/frame/ThreeSteps';
import { QrCode, type QrSquares } from '../../components/QrCode';
import type { LineOf } from '../../components/times/AppointmentLine';
import { AppointmentLine, Lines } from '../../components/times/AppointmentLine';
import { BookingLink } from '../../components/times/BookingLink';
import { ClockTime, Leaf, TimeOf } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Door } from '../../domain/bookings/at-door';
import { isUpcoming } from '../../domain/calendar/today';
import type { Today } from '../../domain/calendar/today.server';
import type { Page as PageOf } from '../../domain/input/fields';
import { dateWords, type Instant, type LocalDate } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
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
  soon: Words;
  /** What a text to the next client begins with. */
  text: string | null;
  confirmations: Confirmed;
  notices: { id: string; text: Words; yours: Words | null; link: string; who: string | null; at: Words }[];
  unread: number;
  isMarked: boolean;
  freeWords: Words;
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
  text,
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
  const { t } = useLingui();
  const words = useWords();
  const { reader } = useShell();
  const { until: now, tomorrow } = news;
  const next = day.lines.find((line) => isUpcoming(line, now));
  const unmarked = day.lines.filter(({ endsAt, attendance }) => endsAt <= now && attendance === 'unknown');
  return (
    <Page title={t`Today`} subtitle={words(dateWords(day.date).full)}>
      <Confirmations confirmations={confirmations} />
      {isMarked && <Notice tone="good" title={<Trans>It is marked.</Trans>} />}
      <div className="summary">
        <Leaf date={day.date} />
        <p>
          <Summary day={day} zone={zone} />
        </p>
        <div className="no-print flex flex-wrap gap-x-4 gap-y-2">
          <ButtonLink quiet to={paths.day()}>
            <Trans>Day sheet</Trans>
          </ButtonLink>
          {reader?.isAtDesk && (
            <ButtonLink quiet to={paths.shopDay()}>
              <Trans>The day of all</Trans>
            </ButtonLink>
          )}
          {!isNew && (
            <TextAction icon="cancel" to={`${paths.hours({ away: 'week' })}#preview`}>
              <Trans>Away next week</Trans>
            </TextAction>
          )}
          {hasAny && canBeBooked && day.lines.length === 0 && (
            <ButtonLink to={paths.yourPage()}>
              <Trans>Share your page</Trans>
            </ButtonLink>
          )}
        </div>
      </div>
      <div className="no-print grid max-w-2xl gap-3">
        <WhoToBook label={t`Book for someone`} />
        <p>
          <TextLink to={paths.bookAt()}>
            <Trans>Somebody new</Trans>
          </TextLink>
        </p>
      </div>
      <div className="desk">
        <div>
          {isNew && <ThreeSteps />}
          {next && <NextClient line={{ ...next, text }} zone={zone} soon={soon} />}
          {day.strip.length > 0 && <DayStrip strip={day.strip} {...{ zone, now, services }} />}
          {!isNew && <AtTheDoor {...atDoor} />}
          <Card
            title={
              <a href={paths.booked()}>
                <Trans context="several">Booked</Trans>
              </a>
            }
            aside={
              <span className="flex flex-wrap gap-x-4">
                <TextLink to={paths.booked()}>
                  <Trans>All booked appointments</Trans>
                </TextLink>
                <TextLink to={paths.bookedAndCanceled()}>
                  <Trans>Booked and canceled</Trans>
                </TextLink>
              </span>
            }
          >
            <Days booked={booked} today={day.date} tomorrow={tomorrow} />
            {!hasAny && (
              <Empty
                next={
                  canBeBooked ? (
                    <ButtonLink to={paths.yourPage()}>
                      <Trans>Share your page</Trans>
                    </ButtonLink>
                  ) : (
                    <ButtonLink quiet={isNew} to={paths.createTimes()}>
                      <Trans>Create appointments</Trans>
                    </ButtonLink>
                  )
                }
                about={
                  canBeBooked
                    ? t`You have free times. Share your page, and who books with you stands here.`
                    : t`Who books with you stands here, as soon as you have free times and share your page.`
                }
              >
                <Trans>No Appointments</Trans>
              </Empty>
            )}
          </Card>
          {canceled.rows.length > 0 && (
            <Card title={<Trans context="several">Canceled</Trans>}>
              <Agenda list={canceled} to={paths.providerView} />
            </Card>
          )}
        </div>
        <div>
          {unmarked.length > 0 && <WhoCame lines={unmarked} zone={zone} />}
          {news.notices.length > 0 && <News {...news} />}
          <Card
            title={<Trans>Your booking page</Trans>}
            aside={<TextLink to={paths.freeTimes()}>{words(freeWords)}</TextLink>}
          >
            <BookingLink link={link} />
            <QrCode {...qr} />
          </Card>
        </div>
      </div>
      <ReleaseNotes />
    </Page>
  );
}

function Summary({ day: { lines, free }, zone }: { day: Today; zone: string }): ReactNode {
  const [first] = lines;
  const end = Math.max(...lines.map(({ endsAt }) => endsAt));
  if (!first) {
    return free === 0 ? (
      <Trans>Nothing is booked today, and nothing is free.</Trans>
    ) : (
      <Trans>
        Nothing is booked today, <Plural value={free} _1="one time is" one="# time is" other="# times are" /> free.
      </Trans>
    );
  }
  const booked = lines.length;
  return (
    <>
      <Trans>
        You have <Plural value={booked} _1="one appointment" one="# appointment" other="# appointments" /> today,{' '}
        <Plural value={free} _0="no time is" _1="one time is" one="# time is" other="# times are" /> free.
      </Trans>{' '}
      <Trans>
        Booked from <ClockTime at={first.startsAt} zone={zone} /> to <TimeOf at={end} zone={zone} />.
      </Trans>
    </>
  );
}

function News({ notices, unread, until }: Pick<Shown, 'notices' | 'unread' | 'until'>) {
  const words = useWords();
  return (
    <Card
      title={<Trans>New for you</Trans>}
      aside={
        <TextLink to={paths.news()}>
          {unread > notices.length ? <Trans>All that is new</Trans> : <Trans>All news</Trans>}
        </TextLink>
      }
    >
      <ul className="news">
        {notices.map(({ id, link, who, ...notice }) => {
          const [text, yours] = [words(notice.text), notice.yours && words(notice.yours)];
          return (
            <li key={id}>
              <Face name={who} />
              <p>
                <a href={link}>{text}</a>
                {yours && (
                  <small>
                    <Trans>On your clock: {yours}</Trans>
                  </small>
                )}
                <small>{words(notice.at)}</small>
              </p>
            </li>
          );
        })}
      </ul>
      <PostForm action={paths.news()}>
        <input type="hidden" name="until" value={until} />
        <input type="hidden" name="from" value="home" />
        <Submit quiet>
          <Trans>Mark as read</Trans>
        </Submit>
      </PostForm>
    </Card>
  );
}

function Days({
  booked: { rows, hasMore },
  today,
  tomorrow,
}: Pick<Shown, 'booked' | 'tomorrow'> & { today: LocalDate }) {
  const { t } = useLingui();
  const soon = rows.filter(({ date }) => date <= today);
  const next = rows.filter(({ date }) => date === tomorrow);
  const later = rows.filter(({ date }) => date > tomorrow);
  return (
    <>
      <Group name={t`Today`} lines={soon} />
      <Group name={t`Tomorrow`} lines={next} />
      <Group name={t`Later`} lines={later} />
      {hasMore && (
        <TextLink to={paths.bookedAndCanceled()}>
          <Trans>More</Trans>
        </TextLink>
      )}
    </>
  );
}

function Group({ name, lines }: { name: string; lines: LineOf[] }): ReactNode {
  const count = lines.length;
  if (count === 0) return null;
  return (
    <div>
      <p className="font-semibold text-muted">
        <Trans>
          {name}: {count}
        </Trans>
      </p>
      <Lines>
        {lines.map((row) => (
          <AppointmentLine key={row.id} appointment={row} to={paths.providerView} />
        ))}
      </Lines>
    </div>
  );
}
