import type { I18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { Facts } from '../../components/Card';
import { Moment } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { State } from '../../domain/people/canceled';
import { lengthWords } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
import type { WordedImport } from './import-parts';

type Props = Pick<WordedImport, 'rows'> & { ignored: Words[]; states: State[] };

const nothing = (
  <span className="font-normal text-muted">
    <Trans>Nothing</Trans>
  </span>
);

const statesTaken = (i18n: I18n, states: State[], isCanceled: boolean) =>
  states
    .filter((state) => state.isCanceled === isCanceled)
    .map(({ word, rows }) => `${word} (${i18n.number(rows)})`)
    .join(' · ');

/** Shows what of the first rows lands in which field, and what of the table is ignored. */
export function ImportLook({ rows, ignored, states }: Props) {
  const { t, i18n } = useLingui();
  const words = useWords();
  const [booked, canceled] = [statesTaken(i18n, states, false), statesTaken(i18n, states, true)];
  return (
    <>
      <h3 className="text-lg">{t`What lands where`}</h3>
      <ul className="grid gap-4">
        {rows
          .filter(({ lands }) => lands !== null)
          .slice(0, 3)
          .map(({ row, name, lands, startsAt }) => (
            <li key={row} className="border-b border-dashed border-rule pb-4 last:border-0 last:pb-0">
              <Facts
                isCompact
                facts={[
                  [t`Name`, <bdi key="name">{name}</bdi>],
                  [t`E-mail`, lands?.email ?? nothing],
                  [t`Phone`, lands?.phone ?? nothing],
                  [t`Note`, lands?.note ?? nothing],
                  [t`Date and start`, startsAt === null ? nothing : <Moment key="start" at={startsAt} />],
                  [t`Length`, lands?.minutes ? words(lengthWords(lands.minutes)) : nothing],
                ]}
              />
            </li>
          ))}
      </ul>
      {ignored.length > 0 && (
        <p className="text-sm break-words">
          <span className="text-muted">{t`Columns that are ignored:`}</span> {ignored.map(words).join(' · ')}
        </p>
      )}
      {booked && (
        <p className="text-sm break-words">
          <span className="text-muted">{t`Taken as booked:`}</span> {booked}
        </p>
      )}
      {canceled && (
        <p className="text-sm break-words">
          <span className="text-muted">{t`Taken as canceled:`}</span> {canceled}
        </p>
      )}
      <h3 className="text-lg">{t`Row by row`}</h3>
    </>
  );
}
