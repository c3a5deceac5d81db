/* How much of what people have said a day sheet has room for, on one sheet of paper. */

/** The words about one appointment: who it is, and what they and the provider have written. */
type Words = { name: string; answers: { question: string; answer: string }[]; privateNote: string | null };

/** In points: what a sheet of Letter has for appointments beside its heading and the lines for walk-ins. */
const room = 510;
/** In points: what is between two appointments. */
const gap = 5.5;
/** How many letters a line has, in the column of names and in that of answers. */
const perLine = { name: 22, said: 48 };

/** From how many appointments on their letters are smaller. */
export const fullFrom = 15;
const small = { height: 10, atLeast: 2 };
const usual = { height: 11.5, atLeast: 3 };
const mostLines = 8;

const wide = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/g;
const linesOf = (text: string, letters: number) =>
  Math.max(1, Math.ceil((text.length + (text.match(wide)?.length ?? 0)) / letters));
const saidOf = ({ answers, privateNote }: Words) =>
  [privateNote && `Note ${privateNote}`, ...answers.flatMap(({ question, answer }) => [question, answer])]
    .filter(Boolean)
    .join(' ');

/**
 * How many lines of answers and note each appointment of a sheet gets: as many as leave all on one page, and never fewer than
 * two, or three where the letters are of the usual size.
 */
export function linesOnPaper(appointments: Words[]): number {
  const { height, atLeast } = appointments.length >= fullFrom ? small : usual;
  const needed = appointments.map((one) => ({
    name: linesOf(one.name, perLine.name),
    said: linesOf(saidOf(one), perLine.said),
  }));
  const takes = (most: number) =>
    needed.reduce((sum, { name, said }) => sum + gap + height * Math.max(name, Math.min(said, most)), 0);
  let most = mostLines;
  while (most > atLeast && takes(most) > room) most--;
  return most;
}
