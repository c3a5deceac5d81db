import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Words } from '../../domain/words/words';
import * as paths from '../../paths';
import { ButtonLink } from '../Button';
import { useWords } from '../words';

type Step = { name: Words; about: Words; to: string; next: Words };

// A new provider can skip each of these screens.
const steps: Step[] = [
  {
    name: msg`What you offer`,
    about: msg`Say what people can book with you, with its length and price. Without any service they book your free times as they are.`,
    to: paths.services({ start: 'yes' }),
    next: msg`Next: when`,
  },
  {
    name: msg({ message: 'When', context: 'step: the hours of a week' }),
    about: msg`Set the hours of a week, and free times publish themselves. You can change them at any time.`,
    to: paths.hours({ start: 'yes' }),
    next: msg`Skip this for now`,
  },
  {
    name: msg`Your page`,
    about: msg`This is what you share. Hang it up, send it, put it where people find you.`,
    to: paths.yourPage({ start: 'yes' }),
    next: '',
  },
];

/** @param at the number of the current step, from 0 */
export function FirstRun({ at }: { at: 0 | 1 | 2 }) {
  const { t } = useLingui();
  const words = useWords();
  const [now, after] = [steps[at], steps[at + 1]];
  return (
    <section aria-label={t`First steps`} className="no-print grid gap-3">
      <ol className="trail" aria-label={t`Steps`}>
        {steps.map(({ name, to }, place) => (
          <li key={to} aria-current={place === at ? 'step' : undefined} className={place <= at ? 'is-done' : undefined}>
            <a href={to}>{`${place + 1}. ${words(name)}`}</a>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-4">
        <p className="flex-1 basis-64 text-muted">{now && words(now.about)}</p>
        {after && (
          <ButtonLink quiet to={after.to}>
            {now && words(now.next)}
          </ButtonLink>
        )}
      </div>
    </section>
  );
}
