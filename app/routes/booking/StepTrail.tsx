import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useWords } from '../../components/words';
import type { LocalDate } from '../../domain/time/clock';
import * as paths from '../../paths';
import { cityPath, daysPath } from './paths';

const names = ['City', 'Provider', 'Days', 'Time'] as const;
type Step = (typeof names)[number];

const labels = {
  City: msg({ message: 'City', context: 'step' }),
  Provider: msg({ message: 'Provider', context: 'step' }),
  Days: msg({ message: 'Days', context: 'step' }),
  Time: msg({ message: 'Time', context: 'step' }),
};

type Done = { location?: string; provider?: string; dates?: LocalDate[]; service: string | null };

export function StepTrail({ current, location, provider, dates, service }: Done & { current: Step }) {
  const { t } = useLingui();
  const words = useWords();
  const back = {
    City: paths.search(),
    Provider: location && cityPath(location),
    Days: provider && daysPath(provider, dates, service),
    Time: '',
  };
  const shape = 'inline-flex min-h-10 items-center rounded-full border px-4 text-sm';
  return (
    <ol aria-label={t`Steps`} className="flex flex-wrap gap-2">
      {names.map((name) => {
        const to = names.indexOf(name) < names.indexOf(current) && back[name];
        if (name === current) {
          return (
            <li key={name} aria-current="step" className={`${shape} border-ink bg-ink font-semibold text-paper`}>
              {words(labels[name])}
            </li>
          );
        }
        return (
          <li key={name}>
            {to ? (
              <a href={to} className={`${shape} border-good text-good`}>
                {words(labels[name])}
              </a>
            ) : (
              <span className={`${shape} border-rule text-muted`}>{words(labels[name])}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
