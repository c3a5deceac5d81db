import { Plural } from '@lingui/react/macro';
import type { Instant } from '../../domain/time/clock';
import { ButtonLink, TextAction, TextLink } from '../Button';
import { Moment } from './Time';

type Listed = { id: string; startsAt: Instant; timeZone: string };

type Props = {
  list: Listed[];
  id: string;
  pathOf: (appointment: Listed) => string;
};

export function SeriesList({ list, id, pathOf }: Props) {
  const { length: count } = list;
  return (
    <details className="text-start">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">
        <Plural value={count} one="One of # appointment in a series" other="One of # appointments in a series" />
      </summary>
      <ol className="grid gap-1 py-2">
        {list.map((appointment) => (
          <li key={appointment.id} aria-current={appointment.id === id ? 'true' : undefined}>
            {appointment.id === id ? (
              <strong>
                <Moment at={appointment.startsAt} zone={appointment.timeZone} isFull />
              </strong>
            ) : (
              <TextLink to={pathOf(appointment)}>
                <Moment at={appointment.startsAt} zone={appointment.timeZone} isFull />
              </TextLink>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

type AllProps = { list: Listed[]; file: string; isText?: boolean };

export function AllToCalendar({ list, file, isText }: AllProps) {
  if (list.length < 2) return null;
  const { length: count } = list;
  const words = <Plural value={count} one="Add # to calendar" other="Add all # to calendar" />;
  return isText ? (
    <TextAction isFile icon="free" to={file}>
      {words}
    </TextAction>
  ) : (
    <ButtonLink quiet isFile to={file}>
      {words}
    </ButtonLink>
  );
}

export const laterIn = (list: Listed[], { startsAt }: { startsAt: Instant }) =>
  list.filter((appointment) => appointment.startsAt > startsAt).length;

export const AlsoLater = ({ count, isOn }: { count: number; isOn: boolean }) =>
  count === 0 ? null : (
    <label className="flex min-h-11 items-center gap-3 text-start">
      <input
        type="checkbox"
        name="following"
        value="true"
        defaultChecked={isOn}
        className="size-5 shrink-0 accent-accent"
      />
      <Plural
        value={count}
        one="Cancel the later one of its series too"
        other="Cancel the # later ones of its series too"
      />
    </label>
  );
