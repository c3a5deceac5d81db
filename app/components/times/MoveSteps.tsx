import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { alreadyThere } from '../../domain/bookings/refusals';
import type { MovePage } from '../../domain/calendar/moving';
import type { Refusal } from '../../domain/errors';
import { providerInShop } from '../../domain/shop/in-shop';
import type { Month } from '../../domain/time/month';
import { ButtonLink } from '../Button';
import { Card, Facts, Notice } from '../Card';
import { ErrorSummary } from '../forms/ErrorSummary';
import { useWords } from '../words';
import { ConfirmMove } from './ConfirmMove';
import { MoveForm, OtherDays } from './OtherTimes';
import { Moment } from './Time';

type Props = {
  move: MovePage;
  /** A time is chosen, which may be gone. */
  isChosen: boolean;
  /** The address of the move, the one that moves it to a time, and the one that leaves the appointment as it is. */
  path: (query?: { month?: Month; day?: string; with?: string }) => string;
  to: (time: { id: string }) => string;
  back: string;
  refused?: Refusal;
  /** Fields of a provider: beside the times, and beside the one that is chosen. */
  fields?: ReactNode;
  chosenFields?: ReactNode;
};

/** Moves an appointment: its time now, then the times that it can have, or the chosen one. */
export function MoveSteps({ move, isChosen, path, to, back, refused, fields, chosenFields }: Props) {
  const { t } = useLingui();
  const words = useWords();
  const { appointment, other, isThere, template, times, day, days, refusal, isProvider, isClosed, ways, phone, text } =
    move;
  const { colleagues, withWhom } = move;
  const nameThere = withWhom?.displayName;
  const pathThere: typeof path = (query) => path({ ...query, ...(withWhom && { with: withWhom.username }) });
  const { startsAt, timeZone, templateId, providerName, bookerName } = appointment;
  const otherName = isProvider ? bookerName : providerName;
  const answered = isProvider ? null : { templateId };
  const recipient = { name: otherName ?? '', way: isProvider ? ways.toBooker : ways.toProvider, phone, text };
  const form = <MoveForm {...{ times, to, day, isClosed, answered, recipient, isProvider }}>{fields}</MoveForm>;
  return (
    <>
      <ErrorSummary refused={refused} />
      <Card title={<Trans>The time now</Trans>}>
        <Facts
          facts={[
            [
              isProvider ? t`Booked by` : t`Provider`,
              <bdi key="who">{isProvider ? bookerName : words(providerInShop(appointment, true))}</bdi>,
            ],
            ...(appointment.service ? ([[t`Service`, appointment.service.name]] as [string, string][]) : []),
            [t`When`, <Moment key="when" at={startsAt} zone={timeZone} isFull />],
          ]}
        />
        <div>
          <ButtonLink quiet to={back}>
            <Trans>Keep it as it is</Trans>
          </ButtonLink>
        </div>
      </Card>
      {refusal && <Notice tone="warn" title={words(refusal)} />}
      {!refusal && other && (
        <ConfirmMove
          {...{ other, withWhom, template, refused, isProvider, bookerName, phone, text, here: pathThere(), ways }}
        >
          {chosenFields}
        </ConfirmMove>
      )}
      {!refusal && isChosen && !other && (
        <>
          {!refused && (
            <Notice tone="warn" title={isThere ? words(alreadyThere) : t`That time is not free any more.`} />
          )}
          {times.length > 0 && form}
          <div>
            <ButtonLink to={pathThere()}>
              <Trans>Choose another time</Trans>
            </ButtonLink>
          </div>
        </>
      )}
      {!refusal && days && (
        <>
          {withWhom && (
            <p className="font-semibold">
              <Trans>
                These are the times of <bdi>{nameThere}</bdi>.
              </Trans>
            </p>
          )}
          {form}
          <OtherDays {...days} title={<Trans>Other days</Trans>} path={pathThere} day={day} />
          {(withWhom || colleagues.length > 0) && (
            <Card title={t`With somebody else`}>
              <p className="max-w-prose text-muted">
                <Trans>
                  They do the same for the same price. The link and the entry in calendars stay as they are.
                </Trans>
              </p>
              <div className="flex flex-wrap gap-3">
                {withWhom && (
                  <ButtonLink quiet to={path()}>
                    <bdi>{providerName}</bdi>
                  </ButtonLink>
                )}
                {colleagues
                  .filter(({ username }) => username !== withWhom?.username)
                  .map(({ username, displayName }) => (
                    <ButtonLink key={username} quiet to={path({ with: username })}>
                      <bdi>{displayName}</bdi>
                    </ButtonLink>
                  ))}
              </div>
            </Card>
          )}
        </>
      )}
    </>
  );
}
