import { callHandlers } from '../../http/api.server';

export const loader = callHandlers('*', {});
export const action = loader;
