import { Trans, useLingui } from '@lingui/react/macro';
import { choiceOf, type Door, overField, timeSaid } from '../../domain/bookings/at-door';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { needsAt } from '../../domain/services/where';
import { lengthWords } from '../../domain/time/clock';
import { Card, Notice } from '../Card';
import { useBookPaths } from '../frame/book-paths';
import { useWords } from '../words';
import { Select, TextField } from './Field';
import { PostForm, Submit } from './Form';

const lengths = [10, 15, 20, 30, 40, 45, 60, 75, 90, 120, 180];

type Props = Door & { refused?: Refusal };

function Name({ refused }: Pick<Props, 'refused'>) {
  const { t } = useLingui();
  return <TextField name="displayName" label={t`Name`} required maxLength={limits.displayName} refused={refused} />;
}

function Start({ start, refused }: Pick<Props, 'start' | 'refused'>) {
  const { t } = useLingui();
  return <TextField name="start" label={t`Time`} type="time" required defaultValue={start} refused={refused} />;
}

function Long({ services, refused }: Pick<Props, 'services' | 'refused'>) {
  const { t } = useLingui();
  const words = useWords();
  return (
    <Select
      name="long"
      label={services.length > 0 ? t({ message: 'For', context: 'a service' }) : t`How long`}
      defaultValue={services[0] ? choiceOf(services[0]) : '30'}
      refused={refused}
    >
      {services.map((service) => (
        <option key={service.id} value={choiceOf(service)}>
          {`${service.name}, ${words(lengthWords(service.minutes))}`}
        </option>
      ))}
      {lengths.map((minutes) => (
        <option key={minutes} value={minutes}>
          {words(lengthWords(minutes))}
        </option>
      ))}
    </Select>
  );
}

/** Books whoever has just come: three fields and one button. */
export const AtTheDoor = ({ date, ...door }: Door) => {
  const desk = useBookPaths();
  return (
    <Card title={<Trans>Somebody at the door</Trans>}>
      <PostForm action={desk.bookAt()} className="grid gap-4">
        <input type="hidden" name="date" value={date} />
        <div className="grid gap-4 sm:grid-cols-3">
          <Name />
          <Long {...door} />
          <Start {...door} />
        </div>
        <div>
          <Submit quiet>
            <Trans>Book now</Trans>
          </Submit>
        </div>
      </PostForm>
    </Card>
  );
};

/**
 * Books any time for somebody, published or not. If the time is over something, the form says so and its button books it
 * all the same.
 */
export function AnyTime({ person, date, refused, ...door }: Props & { person: { id: string; name: string } | null }) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const asksAddress = door.services.some(({ where }) => needsAt(where).address);
  const over = refused?.faults.find(({ field }) => field === overField);
  return (
    <Card title={<Trans>Any time</Trans>} id="any-time">
      <p className="text-muted">
        <Trans>In a break, in the evening, right now: it need not be published, and nobody else is offered it.</Trans>
      </p>
      {over && <Notice tone="warn" title={over.message} />}
      <PostForm action={desk.bookAt({ person: person?.id ?? null })} className="grid max-w-2xl gap-4">
        {over && refused && <input type="hidden" name={overField} value={timeSaid(refused.typed)} />}
        {!person && <Name refused={refused} />}
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField name="date" label={t`Date`} type="date" required defaultValue={date} refused={refused} />
          <Start {...door} refused={refused} />
          <Long {...door} refused={refused} />
        </div>
        {!person && (
          <TextField
            name="phone"
            label={t`Phone`}
            type="tel"
            isOptional
            maxLength={limits.phone.max}
            refused={refused}
          />
        )}
        {asksAddress && (
          <TextField name="address" label={t`Their address`} isOptional maxLength={limits.address} refused={refused} />
        )}
        <div>
          <Submit>{over ? <Trans>Book it all the same</Trans> : <Trans>Book this time</Trans>}</Submit>
        </div>
      </PostForm>
    </Card>
  );
}
