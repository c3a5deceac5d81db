const notes = ['Parties fixed', 'Polish', 'More features', 'Better searching', 'Faster loading'];

export function ReleaseNotes() {
  return (
    <details className="no-print text-sm text-muted">
      <summary className="min-h-11 py-2">
        <h2 className="inline font-sans font-normal">Release Notes 1.14</h2>
      </summary>
      <ul className="grid list-disc gap-1 pl-5">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </details>
  );
}
