import { notFound } from '../domain/errors';
import { answerForm, answerPage } from '../http/page.server';

const missing = async () => {
  throw notFound('page');
};

export const loader = answerPage('anyone', missing);
export const action = answerForm('anyone', missing);

export default function Missing() {
  return null;
}
