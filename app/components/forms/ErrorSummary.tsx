import { Trans } from '@lingui/react/macro';
import type { Refusal, WordedFault } from '../../domain/errors';
import { Notice } from '../Card';
import { fieldId } from './Field';

export function FaultList({ faults }: { faults: WordedFault[] }) {
  return (
    <ul className="grid list-disc gap-1 ps-5 text-start">
      {faults.map(({ field, message }) => (
        <li key={message}>
          {field ? (
            <a href={`#${fieldId(field)}`} className="underline underline-offset-4">
              {message}
            </a>
          ) : (
            message
          )}
        </li>
      ))}
    </ul>
  );
}

/** @param isDialogOpen true if a dialog reads the same faults aloud */
export function ErrorSummary({ refused, isDialogOpen }: { refused?: Refusal; isDialogOpen?: boolean }) {
  const faults = refused?.faults ?? [];
  const [first, ...more] = faults;
  if (!first) return null;
  if (first.field === null && more.length === 0) return <Notice tone="bad" title={first.message} />;
  return (
    <Notice tone="bad" title={<Trans>There is a problem</Trans>} isFirst={first.field === null} isQuiet={isDialogOpen}>
      <FaultList faults={faults} />
    </Notice>
  );
}
