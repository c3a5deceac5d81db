import { notFound } from '../domain/not-found';
import { pageLoader } from '../http/page.server';

/** Answers for pages that don't exist, for refused files, and for forms that a page does not have. */
const missing = async ({ refusal }: { refusal: unknown }) => {
  throw refusal ?? notFound('page');
};

export const loader = pageLoader('anyone', missing);
export const action = loader;

export default function Missing() {
  return null;
}
