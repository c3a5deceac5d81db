import { answerJson } from '../../http/api.server';

export const loader = answerJson('*', {});
export const action = loader;
