import { Trans, useLingui } from '@lingui/react/macro';
import { Fold } from '../../components/Fold';
import { Faults, faultsOf, TextField } from '../../components/forms/Field';
import { EmailField, NameField } from '../../components/forms/GuestFields';
import { PhoneField } from '../../components/forms/PhoneField';
import { useIsFramed, useShell } from '../../components/frame/shell';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';

import type { HowAsked } from '../../domain/profile/rules';
import { dateWords, type LocalDate, weekdayWords, zoneWords } from '../../domain/time/clock';

import { weekdaysFrom } from '../../domain/time/week-start';

/** The days and times that suit somebody. */
type WishFieldsProps = {
  /** The wish is for this one time, so the form asks for no days and hours. */
  isOneTime: boolean;
  /** The wish is for an earlier time than that of a booking. */
  isEarlier: boolean;
  /** Asks a stranger who they are; null if that is known, else whether only an address is missing. */
  asks: 'all' | 'email' | null;
  askPhone: HowAsked;
  /** The provider's, in which days and hours are meant. */
  timeZone: string;
  /** The days that they had in view. */
  from?: LocalDate;
  to?: LocalDate;
};

/** The fields of a wish: who waits, and which days and times suit. */
export function WishFields({
  isOneTime,
  isEarlier,
  asks,
  askPhone,
  refused,
  ...days
}: WishFieldsProps & { refused?: Refusal }) {
  const { t } = useLingui();
  return (
    <>
      {!isOneTime && <TimeFields isEarlier={isEarlier} {...days} refused={refused} />}
      {asks === 'all' && <NameField refused={refused} />}
      {asks && (
        <EmailField
          asked="required"
          help={t`We write there when a time comes free, and for nothing else.`}
          refused={refused}
        />
      )}
      {!isEarlier && <PhoneField asked={askPhone} refused={refused} />}
    </>
  );
}

type TimeFieldsProps = Pick<WishFieldsProps, 'isEarlier' | 'timeZone' | 'from' | 'to'> & { refused?: Refusal };

function TimeFields({ isEarlier, timeZone, from, to, refused }: TimeFieldsProps) {
  const { id, faults, wiring } = faultsOf(refused, 'days');
  const { t } = useLingui();
  const words = useWords();
  const zone = words(zoneWords(timeZone));
  const chosen = refused?.typed.days ?? [];
  const isFramed = useIsFramed();
  const fields = (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="from" type="date" label={t`First day`} defaultValue={from} isOptional refused={refused} />
        {!isEarlier && (
          <TextField name="to" type="date" label={t`Last day`} defaultValue={to} isOptional refused={refused} />
        )}
      </div>
      <fieldset className="grid gap-1.5" id={id} aria-describedby={wiring['aria-describedby']}>
        <legend className="font-semibold">
          <Trans>
            Weekdays <span className="font-normal text-muted">(all, if you tick none)</span>
          </Trans>
        </legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {weekdaysFrom(useShell().weekStart).map((day) => (
            <label key={day} className="inline-flex min-h-11 items-center gap-2">
              <input
                type="checkbox"
                name="days"
                value={day}
                defaultChecked={chosen.includes(String(day))}
                className="size-5 shrink-0 accent-accent"
              />
              {words(weekdayWords(day))}
            </label>
          ))}
        </div>
        <Faults id={`${id}-faults`} faults={faults} />
      </fieldset>
      <p className="text-sm text-muted">{t`Days and times of day are in ${zone}.`}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="after" type="time" label={t`Not before`} isOptional refused={refused} />
        <TextField name="before" type="time" label={t`Starts before`} isOptional refused={refused} />
      </div>
    </>
  );
  if (!isFramed) return fields;
  const [first, last] = [from, to].map((date) => date && words(dateWords(date).full));
  let when = t`When: any day, any time`;
  if (first) when = last && last !== first ? t`When: ${first} to ${last}` : t`When: ${first}`;
  return (
    <Fold summary={when} isOpen={refused !== undefined}>
      <div className="grid gap-5 py-3">{fields}</div>
    </Fold>
  );
}
