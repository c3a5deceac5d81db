import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useWords } from '../words';

const notes = [
  msg`Parties fixed`,
  msg({ message: 'Polish', context: 'small improvements' }),
  msg`More features`,
  msg`Better searching`,
  msg`Faster loading`,
];

export function ReleaseNotes() {
  const words = useWords();
  return (
    <details className="no-print text-sm text-muted">
      <summary className="min-h-11 py-2">
        <h2 className="inline font-sans font-normal">
          <Trans>Release Notes 1.14</Trans>
        </h2>
      </summary>
      <ul className="grid list-disc gap-1 ps-5">
        {notes.map((note) => (
          <li key={note.id}>{words(note)}</li>
        ))}
      </ul>
    </details>
  );
}
