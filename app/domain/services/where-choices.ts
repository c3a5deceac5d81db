import { msg } from '@lingui/core/macro';
import type { Words } from '../words/words';
import type { Where } from './where';

/** As the provider chooses it for a service. */
export const whereChoices: Record<Where, Words> = {
  here: msg`At my address`,
  phone: msg`By phone: I call them`,
  video: msg`By video, at my link`,
  theirs: msg`At the client’s address`,
};
