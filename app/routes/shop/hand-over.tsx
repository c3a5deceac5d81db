import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { bookPaths } from '../../book-paths';
import { Button, TextLink } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextArea, TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { HowTold } from '../../components/HowTold';
import { Moment } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { handOver } from '../../domain/hand-over/hand-over';
import { handOverAppointments, readHandOver } from '../../domain/hand-over/hand-over.server';
import { countIn, parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { isUntold } from '../../domain/messages/ways';
import { withTexts } from '../../domain/people/texts.server';
import { dateWords, isLocalDate, type LocalDate, parseWireDate } from '../../domain/time/clock';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import * as paths from '../../paths';

export const meta = titled(msg`Hand over appointments`);

/** The day in the address, as a link or the date field writes it; null for today. */
function dateIn({ searchParams }: URL): LocalDate | null {
  const text = searchParams.get('date') ?? '';
  return isLocalDate(text) ? text : parseWireDate(text);
}

const ofIn = ({ searchParams }: URL) => searchParams.get('of') ?? '';

/** The name of the field that says who takes an appointment: this and its id. */
const prefix = 'to.';

export const loader = pageLoader('Provider', async (context, { url }) => {
  const [found, sender] = await Promise.all([
    readHandOver(context.db, context.actor, { of: ofIn(url), date: dateIn(url) }, context),
    senderOf(context, url),
  ]);
  const [coming, handed] = await Promise.all([withTexts(sender, found.coming), withTexts(sender, found.handed)]);
  return { ...found, coming, handed, done: countIn(url.searchParams.get('done')) };
});

export const action = formAction('Provider', async (context, typed, { url }) => {
  const moves = (typed.id ?? []).map((id) => ({ id, to: typed[prefix + id]?.[0] ?? '' }));
  const input = parse(handOver, { moves, reason: typed.reason?.[0] });
  const handed = await handOverAppointments(context.db, context.actor, input, context);
  return redirect(paths.handOver({ of: ofIn(url), date: dateIn(url), done: handed.length }), 303);
});

export default function HandOver() {
  const { username, displayName, date, coming, handed, done } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const words = useWords();
  const day = words(dateWords(date).full);
  return (
    <Page title={t`Hand over appointments`} subtitle={<bdi>{displayName}</bdi>}>
      <ErrorSummary refused={refused} />
      {done !== null && !refused && (
        <Notice
          tone="good"
          title={
            <Plural
              value={done}
              one="# appointment is with somebody else now."
              other="# appointments are with others now."
            />
          }
        />
      )}
      <form className="flex flex-wrap items-end gap-3">
        <input type="hidden" name="of" value={username} />
        <TextField key={date} name="date" type="date" label={t`Day`} required defaultValue={date} />
        <Button quiet>{t`Show`}</Button>
      </form>
      {handed.length > 0 && <HandedOver handed={handed} />}
      <Card title={day}>
        {coming.length === 0 ? (
          <Empty>
            <Trans>
              <bdi>{displayName}</bdi> has no appointments to come on this day.
            </Trans>
          </Empty>
        ) : (
          <Choice key={coming.map(({ id }) => id).join()} {...{ coming, username, displayName }} />
        )}
      </Card>
      <p>
        <TextLink to={paths.shop()}>{t`Back to the shop`}</TextLink>
      </p>
    </Page>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

/** Those who are to be called come first. */
function HandedOver({ handed }: Pick<Loaded, 'handed'>) {
  const { t } = useLingui();
  const sorted = handed.toSorted((one, other) => Number(isUntold(other.told)) - Number(isUntold(one.told)));
  return (
    <Card title={t`Handed over`}>
      <ul className="grid">
        {sorted.map(
          ({
            id,
            startsAt,
            timeZone,
            client,
            service,
            to: { username, displayName: takerName },
            told,
            phone,
            text,
          }) => (
            <li key={id} className="grid border-b border-dashed border-rule py-3 last:border-0">
              <TextLink to={bookPaths(username).providerView(id)}>
                <Moment at={startsAt} zone={timeZone} /> · <bdi>{client}</bdi>
              </TextLink>
              <span>
                {service && `${service} · `}
                <Trans>
                  now with <bdi>{takerName}</bdi>
                </Trans>
              </span>
              <span className={isUntold(told) ? 'font-semibold text-accent' : 'text-sm text-muted'}>
                <HowTold name={client} way={told} phone={phone} text={text} />
              </span>
            </li>
          ),
        )}
      </ul>
    </Card>
  );
}

type ChoiceProps = Pick<Loaded, 'coming' | 'username' | 'displayName'>;

/** One form: which appointments go, to whom, and why. */
function Choice({ coming, username, displayName }: ChoiceProps) {
  const { t } = useLingui();
  const refused = useRefusal();
  const chosen = refused && (refused.typed.id ?? []);
  const isTicked = ({ id, asked, takers }: ChoiceProps['coming'][number]) =>
    takers.length > 0 && (chosen ? chosen.includes(id) : asked !== null);
  const canGo = coming.some(({ takers }) => takers.length > 0);
  const list = useRef<HTMLUListElement>(null);
  // Without script nobody counts again after a tick.
  const [count, setCount] = useState<number | null>(null);
  const countTicks = () => setCount(list.current?.querySelectorAll('input[name=id]:checked').length ?? null);
  // After each drawing: what was refused is drawn anew, with fewer ticks.
  useEffect(countTicks);
  return (
    <PostForm className="grid gap-5">
      <ul ref={list} onChange={countTicks} className="grid">
        {coming.map((row) => (
          <Line
            key={row.id}
            {...row}
            isTicked={isTicked(row)}
            typedTo={refused?.typed[prefix + row.id]?.[0]}
            of={username}
          />
        ))}
      </ul>
      {canGo && (
        <>
          <p className="max-w-prose text-muted">
            <Trans>
              Who asked for <bdi>{displayName}</bdi> by name is not ticked: ask them first. Each keeps the time and the
              price, and may move or cancel it until it begins. What is not ticked stays.
            </Trans>
          </p>
          <TextArea name="reason" label={t`Reason`} maxLength={limits.reason} refused={refused} isOptional />
          <div>
            <Submit>
              {!count ? (
                <Trans>Hand over what is ticked</Trans>
              ) : (
                <Plural value={count} one="Hand over # appointment" other="Hand over # appointments" />
              )}
            </Submit>
          </div>
        </>
      )}
    </PostForm>
  );
}

type LineProps = ChoiceProps['coming'][number] & { isTicked: boolean; typedTo: string | undefined; of: string };

function Line({
  id,
  startsAt,
  timeZone,
  client,
  service,
  asked,
  takers,
  told,
  phone,
  text,
  isTicked,
  typedTo,
  of,
}: LineProps) {
  const { t } = useLingui();
  const canGo = takers.length > 0;
  const what = (
    <span className="grid min-w-0">
      <span className="font-semibold wrap-anywhere">
        <Moment at={startsAt} zone={timeZone} /> · <bdi>{client}</bdi>
      </span>
      {service && <span className="text-sm text-muted">{service}</span>}
    </span>
  );
  return (
    <li className="grid gap-2 border-b border-dashed border-rule py-3 last:border-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {canGo ? (
          <label className="flex min-h-11 min-w-0 items-center gap-3">
            <input
              type="checkbox"
              name="id"
              value={id}
              defaultChecked={isTicked}
              className="size-5 shrink-0 accent-accent"
            />
            {what}
          </label>
        ) : (
          what
        )}
        {canGo ? (
          <label className="flex items-center gap-2">
            <span className="shrink-0">
              <Trans>to</Trans>
            </span>
            <select
              name={prefix + id}
              defaultValue={typedTo ?? takers[0]?.username}
              aria-label={t`Who takes the appointment of ${client}`}
              className="min-h-11 min-w-0 rounded-md border-[1.5px] border-edge bg-card px-3"
            >
              {takers.map((taker) => (
                <option key={taker.username} value={taker.username}>
                  {taker.displayName}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <span className="text-accent">
            <Trans>Nobody is free for it.</Trans>
          </span>
        )}
      </div>
      <p className="text-sm text-muted">
        {asked === null && (
          <>
            <strong className="text-ink">
              <Trans>Asked for by name.</Trans>
            </strong>{' '}
          </>
        )}
        {canGo ? (
          <HowTold name={client} way={told} phone={phone} text={text} />
        ) : (
          <TextLink to={bookPaths(of).providerView(id)}>
            <Trans>Open it to move or cancel it</Trans>
          </TextLink>
        )}
      </p>
    </li>
  );
}
