import type { Question } from '../../domain/templates/questions';
import { grouped, roomOfFrame } from '../frame/frame-groups';

/** A question, or with `isRest` the choices of one whose first ones stand in the part before. */
export type Asked = Question & { isRest?: boolean };

// A long choice has several lines of text, so it stands for several short ones.
const sizeOf = (choice: string) => Math.max(1, 0.6 * Math.ceil(choice.length / 16));

function linesOf({ questionText, options }: Asked): number {
  const moreOfText = 0.4 * Math.floor(questionText.length / 38);
  const sizes = (options ?? []).map(sizeOf).reduce((all, size) => all + size, 0);
  return moreOfText + (options === null ? 3 : 1 + Math.min(sizes, roomOfFrame.questions - 1));
}

function divided(question: Question): Asked[] {
  if (!question.options?.length) return [question];
  return grouped(question.options, sizeOf, roomOfFrame.choices).map((options, place) => ({
    ...question,
    options,
    ...(place > 0 && { isRest: true }),
  }));
}

/** Divides questions into parts that fit a frame each. One with too many choices goes over several. */
export const partsOfFrame = (questions: Question[]): Asked[][] =>
  grouped(questions.flatMap(divided), linesOf, roomOfFrame.questions);
