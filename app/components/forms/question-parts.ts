import type { Question } from '../../domain/templates/questions';

/** A question, or with `isRest` the choices of one whose first ones stand in the part before. */
export type Asked = Question & { isRest?: boolean };

// So many lines of fields a frame of another site shows at a time, beside the form's head and buttons.
const linesOfFrame = 7;
// Many choices stand in two columns.
const choicesOfFrame = 12;

const linesOf = ({ options }: Asked) => (options === null ? 3 : 1 + Math.min(options.length, linesOfFrame - 1));

function* divided(question: Question): Generator<Asked> {
  const { options } = question;
  if (options === null || options.length <= choicesOfFrame) return yield question;
  for (let from = 0; from < options.length; from += choicesOfFrame) {
    yield { ...question, options: options.slice(from, from + choicesOfFrame), ...(from > 0 && { isRest: true }) };
  }
}

/** Divides questions into parts that fit a frame each. One with too many choices goes over several. */
export function partsOfFrame(questions: Question[]): Asked[][] {
  const parts: Asked[][] = [];
  let free = 0;
  for (const asked of questions.flatMap((question) => [...divided(question)])) {
    const needed = linesOf(asked);
    if (parts.length === 0 || needed > free) {
      parts.push([]);
      free = linesOfFrame;
    }
    parts.at(-1)?.push(asked);
    free -= needed;
  }
  return parts;
}
