type Words = { name: string; answers: { question: string; answer: string }[]; privateNote: string | null };

/** The height for appointments in points, on a sheet of Letter without its heading and the lines for walk-ins. */
const room = 510;
const gap = 5.5;
/** How many letters fit on a line, in the column of names and in that of answers. */
const perLine = { name: 22, answers: 48 };

/** From this many appointments on, a sheet has smaller letters. */
export const fullFrom = 15;
const small = { height: 10, atLeast: 2 };
const usual = { height: 11.5, atLeast: 3 };
const mostLines = 8;

const wideLetters = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/g;
const linesOf = (text: string, letters: number) =>
  Math.max(1, Math.ceil((text.length + (text.match(wideLetters)?.length ?? 0)) / letters));
const answersText = ({ answers, privateNote }: Words) =>
  [privateNote && `Note ${privateNote}`, ...answers.flatMap(({ question, answer }) => [question, answer])]
    .filter(Boolean)
    .join(' ');

/**
 * How many lines of answers and notes each appointment gets, so that all fit on a page: at least two, or three in large
 * letters.
 */
export function linesOnPaper(appointments: Words[]): number {
  const { height, atLeast } = appointments.length >= fullFrom ? small : usual;
  const needed = appointments.map((appointment) => ({
    name: linesOf(appointment.name, perLine.name),
    answers: linesOf(answersText(appointment), perLine.answers),
  }));
  const takes = (most: number) =>
    needed.reduce((sum, { name, answers }) => sum + gap + height * Math.max(name, Math.min(answers, most)), 0);
  let most = mostLines;
  while (most > atLeast && takes(most) > room) most--;
  return most;
}
