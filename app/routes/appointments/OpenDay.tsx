import { Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Confirm } from '../../components/forms/Confirm';
import { Faults, faultsOf } from '../../components/forms/Field';
import { EnterSubmits, PostForm } from '../../components/forms/Form';
import { useBookPaths } from '../../components/frame/book-paths';
import { useShell } from '../../components/frame/shell';
import { Leaf, ShortTimes, timeWords, YourTimes, Zone } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import type { OwnOpenSlot } from '../../domain/slots/own-open-slots.server';
import { dateWords, type LocalDate, wireDate } from '../../domain/time/clock';

type Props = { day: LocalDate; slots: OwnOpenSlot[]; refused?: Refusal };

export function OpenDay({ day, slots, refused }: Props) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const date = useWords()(dateWords(day).full);
  const [zone, isMixed] = [slots[0]?.timeZone, slots.some(({ timeZone }) => timeZone !== slots[0]?.timeZone)];
  const [notes, isVaried] = [slots[0]?.notes, slots.some(({ notes }) => notes !== slots[0]?.notes)];
  const ticked = refused?.typed.id ?? [];
  // With script the page stays, so the question closes once its answer is there.
  const { once } = useShell();
  const { id, faults, wiring } = faultsOf(refused, 'id');
  return (
    <Card>
      <div className="flex items-center gap-4">
        <Leaf date={day} />
        <div className="min-w-0">
          <h2 className="text-xl">{date}</h2>
          {zone && !isMixed && (
            <p className="text-sm text-muted">
              <Zone zone={zone} />
            </p>
          )}
        </div>
      </div>
      {slots.length === 0 ? (
        <Empty
          next={
            <ButtonLink quiet to={desk.createTimes({ date: wireDate(day) })}>
              <Trans>Create appointments</Trans>
            </ButtonLink>
          }
        >
          <Trans>No free times on this day.</Trans>
        </Empty>
      ) : (
        <PostForm className="grid gap-4">
          {/* Enter would withdraw without asking. */}
          <EnterSubmits name="press" value="ask" />
          <input type="hidden" name="day" value={day} />
          {notes && !isVaried && <p className="line-clamp-3 text-sm whitespace-pre-line text-muted">{notes}</p>}
          <fieldset aria-describedby={wiring['aria-describedby']} className="grid gap-2">
            <legend className="sr-only">{t`Free times, ${date}`}</legend>
            <Faults id={`${id}-faults`} faults={faults} />
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-2">
              {slots.map((slot, place) => (
                <li key={slot.id}>
                  <Chip
                    {...slot}
                    isMixed={isMixed}
                    isVaried={isVaried}
                    isTicked={ticked.includes(slot.id)}
                    wiring={place === 0 ? wiring : undefined}
                  />
                </li>
              ))}
            </ul>
          </fieldset>
          <div className="flex flex-wrap gap-3">
            <Confirm
              key={`ticked ${once}`}
              id="ticked"
              icon="delete"
              button={t`Remove what is ticked`}
              question={t`Remove what is ticked?`}
              happens={t`Nobody can book these times any more, and nobody is told. You can bring them back.`}
              press={{ name: 'press', value: 'ticked' }}
              isInForm
            />
            <Confirm
              key={`whole-day ${once}`}
              id="whole-day"
              icon="delete"
              button={t`Remove the whole day`}
              question={t`Remove all of ${date}?`}
              happens={t`What is booked stays booked, and nobody is told. You can bring the rest back.`}
              press={{ name: 'press', value: 'day' }}
              isInForm
            />
          </div>
        </PostForm>
      )}
    </Card>
  );
}

type ChipProps = OwnOpenSlot & { isMixed: boolean; isVaried: boolean; isTicked: boolean; wiring?: object };

function Chip({ id, notes, templateId, busyWith, isMixed, isVaried, isTicked, wiring, ...span }: ChipProps) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const [time, date] = [words(timeWords(span.startsAt, span.timeZone)), words(dateWords(span.date).full)];
  return (
    <div className="grid h-full content-start rounded-md border border-edge bg-card px-3 py-1 has-checked:border-accent has-checked:bg-wash">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <label className="flex min-h-11 flex-1 items-center gap-3 font-semibold">
          <input
            {...wiring}
            type="checkbox"
            name="id"
            value={id}
            defaultChecked={isTicked}
            className="size-6 shrink-0 accent-accent"
          />
          <span>
            <ShortTimes {...span} hasZone={isMixed} />
            <span className="block text-sm font-normal text-muted">
              <YourTimes {...span} />
            </span>
          </span>
        </label>
        <a
          href={`${desk.providerDetails(id)}#for-someone`}
          className="inline-flex min-h-11 items-center text-sm font-semibold underline-offset-4 hover:underline"
        >
          <Trans>
            Book
            <span className="sr-only">
              {' '}
              for someone, {time}, {date}
            </span>
          </Trans>
        </a>
      </div>
      {isVaried && notes && <p className="line-clamp-2 text-sm text-muted">{notes}</p>}
      {templateId && <p className="text-sm text-muted">{t`Asks questions`}</p>}
      {busyWith !== null && (
        <p className="text-sm wrap-anywhere">
          {busyWith ? (
            <Trans>
              Not offered: <bdi>{busyWith}</bdi>
            </Trans>
          ) : (
            <Trans>Not offered: you have something else</Trans>
          )}
        </p>
      )}
    </div>
  );
}
