import { describe, expect, test } from 'vitest';
import { linesOnPaper } from '../../../app/domain/calendar/paper';

/* How many lines of answers and notes each appointment gets on the printed sheet of a day. */

type Appointment = Parameters<typeof linesOnPaper>[0][number];

const appointment = (letters = 0): Appointment => ({
  name: 'Maya',
  answers: letters > 0 ? [{ question: '', answer: 'x'.repeat(letters) }] : [],
  privateNote: null,
});
const day = (count: number, letters = 0) => Array.from({ length: count }, () => appointment(letters));

describe('the printed sheet of a day', () => {
  test('gives the answers of a short day eight lines', () => {
    expect(linesOnPaper(day(3, 2000))).toBe(8);
  });

  test('gives long answers fewer lines where the day is fuller', () => {
    const lines = [6, 8, 10, 12].map((count) => linesOnPaper(day(count, 2000)));

    expect(lines).toEqual([6, 5, 3, 3]);
  });

  test('leaves at least three lines in large letters', () => {
    expect(linesOnPaper(day(14, 2000))).toBe(3);
  });

  test('leaves at least two lines in small letters', () => {
    expect(linesOnPaper(day(40, 2000))).toBe(2);
  });

  test('gives a full day eight lines where nobody said much', () => {
    expect(linesOnPaper(day(12, 40))).toBe(8);
  });

  // Six appointments with six lines of 48 letters each fit on the sheet, with seven they do not.
  const six = (told: Partial<Appointment>) => day(6).map((one) => ({ ...one, ...told }));
  const answering = (answer: string) => ({ answers: [{ question: 'Why?', answer }] });

  test.each([
    ['an answer with its question', answering('x'.repeat(283)), answering('x'.repeat(284))],
    ['a private note', { privateNote: 'x'.repeat(283) }, { privateNote: 'x'.repeat(284) }],
    ['a letter of Chinese as two', answering('字'.repeat(141)), answering('字'.repeat(142))],
  ])('counts %s', (_, fitting, tooLong) => {
    expect(linesOnPaper(six(fitting))).toBe(8);
    expect(linesOnPaper(six(tooLong))).toBe(6);
  });
});
