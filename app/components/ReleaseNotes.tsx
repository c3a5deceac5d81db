import { Card } from './Card';

const notes = ['Parties fixed', 'Polish', 'More features', 'Better searching', 'Faster loading'];

/** The changes of the last release. */
export function ReleaseNotes() {
  return (
    <Card title="Release Notes 1.14">
      <ul className="grid list-disc gap-1 pl-5 text-muted">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Card>
  );
}
