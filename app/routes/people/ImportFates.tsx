import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Facts } from '../../components/Card';
import { Moment } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Words } from '../../domain/words/words';
import type { WordedImport } from './import-parts';

const fates = { new: msg`New`, merged: msg`You have them already`, refused: msg`Left out` };

export function ImportCounts({ appointments, refused, merged, new: fresh }: Omit<WordedImport, 'rows' | 'taken'>) {
  const { t } = useLingui();
  return (
    <Facts
      isCompact
      facts={[
        [t`New`, fresh],
        [t`There already`, merged],
        [t`Left out`, refused],
        [t`Coming appointments`, appointments],
      ]}
    />
  );
}

// 2 if the row is left out, 1 if some of its cells are, else 0.
const rankOf = ({ fate, why }: WordedImport['rows'][number]) => (fate === 'refused' ? 2 : Number(why !== null));

function fateWords(fate: keyof typeof fates, why: string | null): Words {
  const what = fates[fate];
  if (why === null) return what;
  return fate === 'refused' ? msg`Left out: ${why}` : msg`${what}. ${why}`;
}

/** Shows what will become of each row: first rows that are left out, then those without some of their cells. */
export const ImportFates = ({ rows }: Pick<WordedImport, 'rows'>) => {
  const { t } = useLingui();
  const words = useWords();
  return (
    <ul className="grid">
      {[...rows]
        .sort((one, other) => rankOf(other) - rankOf(one))
        .map(({ row, name, fate, why, startsAt }) => (
          <li key={row} className="border-b border-dashed border-rule py-3 last:border-0">
            <p className="font-semibold break-words">
              <bdi>{name || t`No name`}</bdi> <span className="font-normal text-muted">{t`Row ${row}`}</span>
            </p>
            <p className="text-sm break-words">
              {words(fateWords(fate, why))}
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
};
