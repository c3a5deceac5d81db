import type { Fault, Refusal } from '../../domain/errors';
import { Notice, RefusalNotice } from '../Card';
import { fieldId } from './Field';

export function FaultList({ faults }: { faults: Fault[] }) {
  return (
    <ul className="grid list-disc gap-1 pl-5 text-left">
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
  if (faults.length === 0) return null;
  if (faults.every(({ field }) => field === null)) return <RefusalNotice refused={refused} />;
  return (
    <Notice tone="bad" title="There is a problem" isFirst={faults[0]?.field === null} isQuiet={isDialogOpen}>
      <FaultList faults={faults} />
    </Notice>
  );
}
