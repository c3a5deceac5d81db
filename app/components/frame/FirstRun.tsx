import * as paths from '../../paths';
import { ButtonLink } from '../Button';

// A new provider can skip each of these screens.
const steps = [
  { name: 'What you offer', to: paths.services({ start: 'yes' }), next: 'Next: when' },
  { name: 'When', to: paths.hours({ start: 'yes' }), next: 'Skip this for now' },
  { name: 'Your page', to: paths.yourPage({ start: 'yes' }), next: '' },
];

const words = [
  'Say what people can book with you, with its length and price. Without any service they book your free times as they are.',
  'Set the hours of a week, and free times publish themselves. You can change them at any time.',
  'This is what you share. Hang it up, send it, put it where people find you.',
];

/** @param at the number of the current step, from 0 */
export function FirstRun({ at }: { at: 0 | 1 | 2 }) {
  const after = steps[at + 1];
  return (
    <section aria-label="First steps" className="no-print grid gap-3">
      <ol className="trail" aria-label="Steps">
        {steps.map(({ name, to }, place) => (
          <li
            key={name}
            aria-current={place === at ? 'step' : undefined}
            className={place <= at ? 'is-done' : undefined}
          >
            <a href={to}>{`${place + 1}. ${name}`}</a>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-4">
        <p className="flex-1 basis-64 text-muted">{words[at]}</p>
        {after && (
          <ButtonLink quiet to={after.to}>
            {steps[at]?.next}
          </ButtonLink>
        )}
      </div>
    </section>
  );
}
