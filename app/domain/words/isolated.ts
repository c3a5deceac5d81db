import { isRightToLeft } from './languages';

// Signs of Unicode (UAX #9) around a text that runs by its own first letter, and leaves the text around it as it is.
const [start, end] = ['\u2068', '\u2069'];

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const leftToRight = /(?=\p{L})[^\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
// Its groups of digits would stand in the other order.
const number = /\+\d|\d[\s()/-]+\d/;

const runsOtherwise = (text: string, language: string): boolean =>
  isRightToLeft(language) ? leftToRight.test(text) || number.test(text) : rightToLeft.test(text);

/** A name or number inside of a sentence of this language, isolated where it runs the other way. */
export const isolated = (text: string, language: string): string =>
  runsOtherwise(text, language) && !text.includes(start) ? start + text + end : text;

/** For files that programs read. */
export const withoutIsolates = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '');
