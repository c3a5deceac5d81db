import { notFound } from '../domain/errors';
import { answerPage } from '../http/page.server';

/** Answers for pages that don't exist, for refused files, and for forms that a page does not have. */
const missing = async ({ refusal }: { refusal: unknown }) => {
  throw refusal ?? notFound('page');
};

export const loader = answerPage('anyone', missing);
export const action = loader;

export default function Missing() {
  return null;
}
