import { notFound } from '../domain/errors';
import { answerPage } from '../http/page.server';

/** What there is no page for, and what a file, or a form where there is none, was refused with. */
const missing = async ({ refusal }: { refusal: unknown }) => {
  throw refusal ?? notFound('page');
};

export const loader = answerPage('anyone', missing);
export const action = loader;

export default function Missing() {
  return null;
}
