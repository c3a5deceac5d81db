import { Facts } from '../../components/Card';
import { Moment } from '../../components/times/Time';
import type { Imported } from '../../domain/bookings/import-people.server';

const fates = { new: 'New', merged: 'You have them already', refused: 'Left out' };

export const ImportCounts = ({ appointments, refused, merged, new: fresh }: Omit<Imported, 'rows' | 'taken'>) => (
  <Facts
    isCompact
    facts={[
      ['New', fresh],
      ['There already', merged],
      ['Left out', refused],
      ['Coming appointments', appointments],
    ]}
  />
);

const rankOf = ({ fate, why }: Imported['rows'][number]) => (fate === 'refused' ? 2 : Number(why !== null));

/** Shows what will become of each row. Those of which something is left out come first, whole rows before cells. */
export const ImportFates = ({ rows }: Pick<Imported, 'rows'>) => (
  <ul className="grid">
    {[...rows]
      .sort((one, other) => rankOf(other) - rankOf(one))
      .map(({ row, name, fate, why, startsAt }) => (
        <li key={row} className="border-b border-dashed border-rule py-3 last:border-0">
          <p className="font-semibold break-words">
            <bdi>{name || 'No name'}</bdi> <span className="font-normal text-muted">Row {row}</span>
          </p>
          <p className="text-sm break-words">
            {fates[fate]}
            {why && (fate === 'refused' ? `: ${why}` : `. ${why}`)}
            {startsAt !== null && (
              <>
                {' · '}
                <Moment at={startsAt} />
              </>
            )}
          </p>
        </li>
      ))}
  </ul>
);
