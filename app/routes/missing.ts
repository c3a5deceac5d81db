import { notFound } from '../domain/errors';
import { answerPage } from '../http/page.server';

/** A missing page; also a file that was refused, and a form that the page does not have. */
const missing = async ({ refusal }: { refusal: unknown }) => {
  throw refusal ?? notFound('page');
};

export const loader = answerPage('anyone', missing);
export const action = loader;

export default function Missing() {
  return null;
}
