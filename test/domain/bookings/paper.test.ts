import { describe, expect, test } from 'vitest';
import { linesOnPaper } from '../../../app/domain/calendar/paper';

/* How many lines of answers an appointment of the printed day sheet gets. */

const said = (letters: number, name = 'Ana Costa') => ({
  name,
  privateNote: null,
  answers: [{ question: '', answer: 'x'.repeat(letters) }],
});
const many = (count: number, one: ReturnType<typeof said>) => Array.from({ length: count }, () => one);

describe('the lines of an appointment on the day sheet', () => {
  test('are as many as there is room for, at most eight', () => {
    expect(linesOnPaper([said(5_000)])).toBe(8);
    expect(linesOnPaper([...many(19, said(20)), said(300)])).toBe(8);
  });

  test('are fewer where all say much, but never fewer than two, or three of the usual size', () => {
    expect(linesOnPaper(many(7, said(2_000)))).toBeLessThan(8);
    expect(linesOnPaper(many(14, said(2_000)))).toBe(3);
    expect(linesOnPaper(many(20, said(2_000)))).toBe(2);
    expect(linesOnPaper(many(96, said(2_000)))).toBe(2);
  });

  test('count a wide letter twice, the note, and a name of several lines', () => {
    const twelve = (one: ReturnType<typeof said>) => linesOnPaper(many(12, one));
    const wide = { ...said(0), answers: [{ question: '', answer: '山'.repeat(100) }] };
    expect(twelve(wide)).toBe(twelve(said(200)));
    expect(twelve({ ...said(0), privateNote: 'x'.repeat(190) } as never)).toBe(twelve(said(195)));
    expect(twelve(said(10, 'A name '.repeat(11)))).toBeLessThan(twelve(said(10)));
  });
});
