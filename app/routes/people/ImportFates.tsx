import { Facts } from '../../components/Card';
import { Moment } from '../../components/Time';
import type { Imported } from '../../domain/people/import.server';

const fates = { new: 'New', merged: 'You have them already', refused: 'Left out' };

/** The fate of each row, and the number of each. */
export const ImportFates = ({ outcome }: { outcome: Imported }) => (
  <>
    <Facts
      isCompact
      facts={[
        ['New', outcome.new],
        ['There already', outcome.merged],
        ['Left out', outcome.refused],
        ['Coming appointments', outcome.appointments],
      ]}
    />
    <ul className="grid">
      {outcome.rows.map(({ row, name, fate, why, startsAt }) => (
        <li key={row} className="border-b border-dashed border-rule py-3 last:border-0">
          <p className="font-semibold break-words">
            <bdi>{name || 'No name'}</bdi> <span className="font-normal text-muted">Row {row}</span>
          </p>
          <p className="text-sm break-words">
            {fates[fate]}
            {why && `: ${why}`}
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
  </>
);
