/** A number with so many digits after the point, or n/a. */
export const number = (value: number | null | undefined, digits = 1) =>
  value === null || value === undefined ? 'n/a' : value.toFixed(digits);

/** Lines of a table with its columns under one another: texts to the left, numbers to the right. */
export function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const isText = head.map((_, column) => rows.some((row) => /^[a-z/@]/i.test(row[column] ?? '')));
  const lineOf = (row: string[]) =>
    row
      .map((cell, column) => (isText[column] ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [
    lineOf(head),
    widths
      .map((width) => '-'.repeat(width))
      .join('  ')
      .trimEnd(),
    ...rows.map(lineOf),
  ];
}
