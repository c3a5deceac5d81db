import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { bookPaths } from '../../book-paths';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { PrintButton } from '../../components/PrintButton';
import { ScrollRegion } from '../../components/ScrollRegion';
import { Steps } from '../../components/Steps';
import { ClockTime, Zone } from '../../components/times/Time';
import { toneOf } from '../../components/tones';
import { useWords } from '../../components/words';
import { type BookOfDay, type Change, type DayLine, tableOf } from '../../domain/calendar/day-of-all';
import { markChangesSeen, readDayOfAll } from '../../domain/calendar/day-of-all.server';
import { addDays, dateWords, lengthWords, minute, wireDate } from '../../domain/time/clock';
import { shortWhenWords } from '../../domain/time/when-words';
import { dateOrToday, todayIn } from '../../domain/time/zones';
import type { Words } from '../../domain/words/words';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import styles from '../../styles/day-of-all.css?url';

export const links = () => [{ rel: 'stylesheet', href: styles }];
export const meta = titled(msg`The day of all`);

export const loader = pageLoader('Provider', async ({ db, actor, now }, { url: { searchParams } }) => {
  const zone = actor.timeZone;
  const date = dateOrToday(searchParams.get('date'), zone, now);
  const isWhole = searchParams.get('changes') === 'all';
  const { books: all, ...changed } = await readDayOfAll(db, actor, { date, isWhole }, now);
  const chosen = all.find(({ username }) => username === searchParams.get('with'));
  const books = chosen ? [chosen] : all;
  return {
    date,
    zone,
    today: todayIn(zone, now),
    people: all.map(({ username, displayName }) => ({ username, displayName })),
    chosen: chosen?.username ?? null,
    books: books.map(({ lines: _, ...book }) => book),
    rows: tableOf(books, now),
    ...changed,
  };
});

export const action = formAction('Provider', async ({ db, actor, now }, typed, { url: { searchParams } }) => {
  const until = Number(typed.until?.[0]);
  await markChangesSeen(db, actor, Number.isSafeInteger(until) ? until : now, now);
  return redirect(paths.shopDay({ date: searchParams.get('date'), with: searchParams.get('with') }), 303);
});

export default function DayOfAll() {
  const { date, zone, today, people, chosen, books, rows, changes, hasMore } = useLoaderData<typeof loader>();
  const { t } = useLingui();
  const words = useWords();
  const full = words(dateWords(date).full);
  const dayPath = (on: string) => paths.shopDay({ date: wireDate(on), with: chosen });
  return (
    <Page title={t`The day of all`} subtitle={full}>
      {changes.length > 0 && (
        <Changes
          changes={changes}
          more={hasMore ? paths.shopDay({ date: wireDate(date), with: chosen, changes: 'all' }) : null}
          zone={zone}
        />
      )}
      <Steps
        label={t`Days`}
        before={{ to: dayPath(addDays(date, -1)), words: t`Day before` }}
        now={{ to: paths.shopDay({ with: chosen }), words: t`Today` }}
        after={{ to: dayPath(addDays(date, 1)), words: t`Day after` }}
      >
        <TextLink to={paths.shop()}>
          <Trans>Your shop</Trans>
        </TextLink>
      </Steps>
      <div className="no-print flex flex-wrap items-end justify-between gap-3">
        <form
          method="get"
          action={paths.shopDay()}
          className="grid w-full max-w-sm grid-cols-[1fr_auto] items-end gap-3"
        >
          {chosen && <input type="hidden" name="with" value={chosen} />}
          <TextField name="date" label={t`Date`} type="date" required key={date} defaultValue={date} />
          <Button quiet>
            <Trans>Show day</Trans>
          </Button>
        </form>
        <PrintButton>{t`Print the day`}</PrintButton>
      </div>
      {people.length > 1 && (
        <nav aria-label={t`Whose day`} className="whose-day no-print">
          <a href={paths.shopDay({ date: wireDate(date) })} aria-current={chosen ? undefined : 'true'}>
            <Trans>All</Trans>
          </a>
          {people.map(({ username, displayName }) => (
            <a
              key={username}
              href={paths.shopDay({ date: wireDate(date), with: username })}
              aria-current={username === chosen ? 'true' : undefined}
              className={toneOf(displayName)}
            >
              <bdi>{displayName}</bdi>
            </a>
          ))}
        </nav>
      )}
      {books.length === 0 ? (
        <Empty
          next={
            <ButtonLink quiet to={paths.shop()}>
              <Trans>Your shop</Trans>
            </ButtonLink>
          }
        >
          <Trans>Nobody in your shop takes appointments.</Trans>
        </Empty>
      ) : (
        <ScrollRegion label={t`The day`} className="grid gap-3">
          <p className="text-sm text-muted">
            <Trans>
              Times are in <Zone zone={zone} />.
            </Trans>
          </p>
          <table className="team">
            <caption className="sr-only">
              <Trans>The books of all on {full}</Trans>
            </caption>
            <thead>
              <tr>
                <td />
                {books.map((book) => (
                  <Head key={book.username} book={book} date={date} today={today} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ startsAt, isPast, cells }) => (
                <tr key={startsAt} className={isPast ? 'is-past' : undefined}>
                  <th scope="row">
                    <ClockTime at={startsAt} zone={zone} />
                  </th>
                  {cells.map((cell, place) => {
                    const book = books[place];
                    return (
                      cell &&
                      book && (
                        <td key={book.username} rowSpan={cell.rows > 1 ? cell.rows : undefined}>
                          {cell.lines.map((line) => (
                            <Line key={`${line.kind}${line.endsAt}`} line={line} book={book} zone={zone} />
                          ))}
                        </td>
                      )
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Page>
  );
}

type Book = Omit<BookOfDay, 'lines'>;

const pathsIn = ({ isOwn, username }: Pick<Book, 'isOwn' | 'username'>) => bookPaths(isOwn ? null : username);

const emptyWords: Record<NonNullable<BookOfDay['empty']>, Words> = {
  closed: msg`Closed`,
  unpublished: msg`Nothing published`,
};

function Head({ book, date, today }: { book: Book; date: string; today: string }) {
  const { displayName: name, username, empty, isCut } = book;
  const { t } = useLingui();
  const words = useWords();
  return (
    <th scope="col" className={toneOf(name)}>
      <a href={pathsIn(book).day({ date: wireDate(date) })} className="name">
        <bdi>{name}</bdi>
      </a>
      {empty && <small>{words(emptyWords[empty])}</small>}
      {isCut && (
        <small>
          <Trans>There are more than fit here.</Trans>
        </small>
      )}
      {date >= today && (
        <a href={paths.handOver({ of: username, date: wireDate(date) })} className="no-print ill">
          {date === today ? t`${name} is ill today` : t`${name} is ill on this day`}
        </a>
      )}
    </th>
  );
}

function Line({ line, book, zone }: { line: DayLine; book: Book; zone: string }) {
  const words = useWords();
  const { t } = useLingui();
  const { displayName: colleague } = book;
  const desk = pathsIn(book);
  const length = words(lengthWords(Math.round((line.endsAt - line.startsAt) / minute)));
  const whose = (
    <small className="whose">
      <bdi>{colleague}</bdi>
    </small>
  );
  const tone = `${toneOf(colleague)}${line.isPast ? ' is-past' : ''}`;
  switch (line.kind) {
    case 'booked': {
      const { id, name, service, people } = line;
      return (
        <a href={desk.providerView(id)} className={`entry is-booked ${tone}`}>
          <span>
            <b>
              <bdi>{name}</bdi>
            </b>
            {people > 1 && (
              <small>
                <Plural value={people} one="# person" other="# people" />
              </small>
            )}
            <small>{service ? `${service} · ${length}` : length}</small>
            {whose}
          </span>
        </a>
      );
    }
    case 'class': {
      const { id, service, people, seats } = line;
      return (
        <a href={desk.providerDetails(id)} className={`entry is-booked ${tone}`}>
          <span>
            <b>{service ?? t`A class`}</b>
            <small>
              <Trans>
                {people} of {seats} seats taken
              </Trans>
            </small>
            <small>{length}</small>
            {whose}
          </span>
        </a>
      );
    }
    case 'free':
      return (
        <a href={`${desk.providerDetails(line.id)}#for-someone`} className={`entry is-free ${tone}`}>
          <span>
            <b>
              <Trans>
                Free
                <span className="sr-only">
                  : book for someone with {colleague} at <ClockTime at={line.startsAt} zone={zone} />
                </span>
              </Trans>
            </b>
            {whose}
          </span>
        </a>
      );
    default:
      return (
        <p className={`entry is-busy ${tone}`}>
          <span>
            <small>{line.kind === 'held' ? t`Held for the waitlist` : t({ message: 'Busy', context: 'state' })}</small>
            {whose}
          </span>
        </p>
      );
  }
}

const changeWords: Record<Change['kind'], Words> = {
  booked: msg({ message: 'Booked', context: 'state' }),
  moved: msg({ message: 'Moved', context: 'state' }),
  canceled: msg({ message: 'Canceled', context: 'state' }),
};

function Changes({ changes, more, zone }: { changes: Change[]; more: string | null; zone: string }) {
  const { t } = useLingui();
  const words = useWords();
  const [newest] = changes;
  return (
    <section aria-label={t`New since you looked`} className="no-print">
      <Card title={t`New since you looked`}>
        <ul className="changes">
          {changes.map((change) => {
            const { kind, id, client, displayName: colleague, before, from, startsAt, service, by } = change;
            const when = words(shortWhenWords(startsAt, zone));
            return (
              <li key={id} className={toneOf(colleague)}>
                <a href={pathsIn(change).providerView(id)}>
                  <Trans>
                    <bdi>{client}</bdi> with <bdi>{colleague}</bdi>
                  </Trans>
                </a>
                <small>
                  {`${words(changeWords[kind])}: `}
                  {before !== null && before !== startsAt && (
                    <>
                      {words(shortWhenWords(before, zone))} <span className="arrow">→</span>{' '}
                    </>
                  )}
                  {when}
                  {service && ` · ${service}`}
                  {from !== null && (
                    <>
                      {' · '}
                      <Trans context="whose appointment it was before">
                        from <bdi>{from}</bdi>
                      </Trans>
                    </>
                  )}
                  {by !== null && (
                    <>
                      {' · '}
                      <Trans context="who of the shop did it">
                        by <bdi>{by}</bdi>
                      </Trans>
                    </>
                  )}
                </small>
              </li>
            );
          })}
        </ul>
        {more && (
          <p className="text-sm">
            <TextLink to={more}>
              <Trans>There is more that is older.</Trans>
            </TextLink>
          </p>
        )}
        <PostForm>
          <input type="hidden" name="until" value={newest?.at} />
          <Submit quiet>
            <Trans>I have seen this</Trans>
          </Submit>
        </PostForm>
      </Card>
    </section>
  );
}
