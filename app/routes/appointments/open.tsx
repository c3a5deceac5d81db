import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { BookingLink } from '../../components/BookingLink';
import { ButtonLink, TextButton } from '../../components/Button';
import { Card, Empty, Notice, RefusalNotice } from '../../components/Card';
import { PostForm } from '../../components/Form';
import { Page } from '../../components/Page';
import { Pager } from '../../components/Pager';
import { useRefusal } from '../../components/refusal';
import { Leaf, SpanTimes, timeWords } from '../../components/Time';
import { titled } from '../../components/titled';
import { openSlotFilter } from '../../domain/appointments/appointments';
import { listOwnOpenSlots } from '../../domain/appointments/open-slots.server';
import { type Withdrawal, withdrawSlots } from '../../domain/appointments/publishing.server';
import { invalid, notLoggedIn } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { dateWords, isLocalDate } from '../../domain/time/clock';
import type { Typed } from '../../http/form.server';
import { answerForm, answerPage } from '../../http/page.server';

export const meta = titled('Open slots');

export const loader = answerPage('Provider', async ({ db, actor, viewer, now }, { url }) => {
  const { page } = parse(openSlotFilter, { page: url.searchParams.get('page') ?? undefined });
  const [account, list] = await Promise.all([viewer(), listOwnOpenSlots(db, actor, page, now)]);
  if (!account) throw notLoggedIn();
  const withdrawn = url.searchParams.get('withdrawn');
  // Whoever withdraws all of the last page goes on with the one before.
  if (withdrawn !== null && page > 0 && list.rows.length === 0) throw redirect(afterWithdrawal(withdrawn, page - 1));
  const rows = list.rows.map(({ id, startsAt, endsAt, date, timeZone, notes }) => ({
    id,
    startsAt,
    endsAt,
    date,
    timeZone,
    notes,
  }));
  return { rows, hasMore: list.hasMore, page, withdrawn, link: `${url.origin}/with/${account.username}` };
});

/** What a button withdraws: a slot, a day, a publication, or all. */
function chosen(typed: Typed): Withdrawal {
  const [id, date, publication] = [typed.id?.[0], typed.date?.[0], typed.publication?.[0]];
  if (id) return { id };
  if (date && isLocalDate(date)) return { date };
  if (publication) return { publication };
  if (typed.all) return 'all';
  throw invalid(null, 'Choose what to withdraw.');
}

const afterWithdrawal = (count: number | string, page: number) =>
  `/view-open?withdrawn=${count}${page > 0 ? `&page=${page}` : ''}`;

export const action = answerForm('Provider', async ({ db, actor, now }, typed, { url }) => {
  const withdrawn = await withdrawSlots(db, actor, chosen(typed), now);
  // The forms of the list are sent to the page of it that they stand on.
  const { page } = parse(openSlotFilter, { page: url.searchParams.get('page') ?? undefined });
  return redirect(afterWithdrawal(withdrawn, page), 303);
});

export default function Open() {
  const { rows, hasMore, page, withdrawn, link } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const days = [...new Set(rows.map(({ date }) => date))];
  return (
    <Page title="Open slots" subtitle="Free to be booked">
      <RefusalNotice refused={refused} />
      {withdrawn !== null && !refused && <Withdrawn count={Number(withdrawn)} />}
      <Card title="Your booking page">
        <BookingLink link={link} />
      </Card>
      {rows.length === 0 && (
        <Card>
          <Empty next={<ButtonLink to="/create">Create appointments</ButtonLink>}>No Appointments</Empty>
        </Card>
      )}
      {days.length > 0 && (
        /* One form for all buttons of the list: a form for each would cost more than the list itself. */
        <PostForm className="grid gap-6">
          {days.map((date) => (
            <Card key={date}>
              <div className="flex flex-wrap items-center gap-4">
                <Leaf date={date} />
                <h2 className="min-w-0 flex-1 text-xl">{dateWords(date).longWeekday}</h2>
                <TextButton name="date" value={date}>
                  Withdraw the whole day<span className="sr-only">, {dateWords(date).full}</span>
                </TextButton>
              </div>
              <ul className="grid">
                {rows
                  .filter((row) => row.date === date)
                  .map((slot) => (
                    <li
                      key={slot.id}
                      className="flex flex-wrap items-center gap-x-4 border-b border-dashed border-rule py-1.5 last:border-0"
                    >
                      <p className="min-w-0 flex-1 basis-36">
                        <SpanTimes {...slot} />
                        {slot.notes && <span className="line-clamp-2 text-sm text-muted">{slot.notes}</span>}
                      </p>
                      <a
                        href={`/details-provider/${slot.id}#for-someone`}
                        className="inline-flex min-h-11 items-center text-sm font-semibold text-accent underline underline-offset-4"
                      >
                        Book for someone
                        <span className="sr-only">
                          {`, ${timeWords(slot.startsAt, slot.timeZone)}, ${dateWords(date).full}`}
                        </span>
                      </a>
                      <TextButton name="id" value={slot.id}>
                        Withdraw
                        <span className="sr-only">
                          {`, ${timeWords(slot.startsAt, slot.timeZone)}, ${dateWords(date).full}`}
                        </span>
                      </TextButton>
                    </li>
                  ))}
              </ul>
            </Card>
          ))}
        </PostForm>
      )}
      <Pager page={page} hasMore={hasMore} told="withdrawn" />
      {rows.length > 0 && (
        <details className="border-t border-rule pt-3">
          <summary className="min-h-11 py-2 font-semibold">Withdraw all open slots</summary>
          <PostForm className="grid justify-items-start gap-2 py-2">
            <p className="text-muted">What is booked stays booked. Nobody can book the rest any more.</p>
            <TextButton name="all" value="yes">
              Yes, withdraw them all
            </TextButton>
          </PostForm>
        </details>
      )}
    </Page>
  );
}

function Withdrawn({ count }: { count: number }) {
  if (!(count > 0)) return <Notice tone="warn" title="Nothing was left to withdraw." />;
  return <Notice tone="good" title={count === 1 ? 'One slot is withdrawn.' : `${count} slots are withdrawn.`} />;
}
