import { Facts } from '../../components/Card';
import { Moment } from '../../components/times/Time';
import type { Imported } from '../../domain/bookings/import-people.server';
import type { State } from '../../domain/people/canceled';
import { lengthWords } from '../../domain/time/clock';

type Props = Pick<Imported, 'rows'> & { ignored: string[]; states: State[] };

const nothing = <span className="font-normal text-muted">Nothing</span>;

const statesTaken = (states: State[], isCanceled: boolean) =>
  states
    .filter((state) => state.isCanceled === isCanceled)
    .map(({ word, rows }) => `${word} (${rows.toLocaleString('en')})`)
    .join(' · ');

/** Shows what of the first rows lands in which field, and what of the table is ignored. */
export function ImportLook({ rows, ignored, states }: Props) {
  const [booked, canceled] = [statesTaken(states, false), statesTaken(states, true)];
  return (
    <>
      <h3 className="text-lg">What lands where</h3>
      <ul className="grid gap-4">
        {rows
          .filter(({ lands }) => lands !== null)
          .slice(0, 3)
          .map(({ row, name, lands, startsAt }) => (
            <li key={row} className="border-b border-dashed border-rule pb-4 last:border-0 last:pb-0">
              <Facts
                isCompact
                facts={[
                  ['Name', <bdi key="name">{name}</bdi>],
                  ['E-mail', lands?.email ?? nothing],
                  ['Phone', lands?.phone ?? nothing],
                  ['Note', lands?.note ?? nothing],
                  ['Date and start', startsAt === null ? nothing : <Moment key="start" at={startsAt} />],
                  ['Length', lands?.minutes ? lengthWords(lands.minutes) : nothing],
                ]}
              />
            </li>
          ))}
      </ul>
      {ignored.length > 0 && (
        <p className="text-sm break-words">
          <span className="text-muted">Columns that are ignored:</span> {ignored.join(' · ')}
        </p>
      )}
      {booked && (
        <p className="text-sm break-words">
          <span className="text-muted">Taken as booked:</span> {booked}
        </p>
      )}
      {canceled && (
        <p className="text-sm break-words">
          <span className="text-muted">Taken as canceled:</span> {canceled}
        </p>
      )}
      <h3 className="text-lg">Row by row</h3>
    </>
  );
}
