import { msg } from '@lingui/core/macro';
import * as paths from '../../../paths';
import { inARow } from '../../words/joined';
import type { Words } from '../../words/words';
import { plainService } from '../plain-names';
import type { KindWith, MessageWith } from './kind';
import { hostInside, hostName } from './words';

type Wish = {
  wishId: string;
  /** 'any time, from Wed 2 Dec, 09:00 on'. */
  times: Words | null;
  service: string | null;
};
type Stored = { wish?: string; times?: Words; service?: string | null };

function waitsSentence(message: MessageWith<Wish>): Words {
  const { service, times } = message.data;
  const host = hostName(message);
  if (service && times) return msg`You wait for a time of ${host}: ${service}, ${times}.`;
  const wished = service ?? times;
  return wished ? msg`You wait for a time of ${host}: ${wished}.` : msg`You wait for a time of ${host}.`;
}

/** The confirmation that the reader is on a waitlist. */
export const wish: KindWith<Wish> = {
  mails: msg`about what you wait for`,
  switchedOffBy: 'anyone',
  mail: { toUnconfirmed: true, isByGuests: true },
  isFromHost: true,
  data: ({ wish = '', times, service }: Stored) => ({ wishId: wish, times: times ?? null, service: service ?? null }),
  withoutHostTexts: (data) => ({ ...data, service: plainService(data.service) }),
  sentence: (message) =>
    inARow([
      waitsSentence(message),
      msg`We tell you when one comes free. The link shows your place in line, and how to stop.`,
    ]),
  link: () => paths.waitlist(),
  keyedLink: ({ data }, links) => links.waiting(data.wishId),
  mailSubject(message) {
    const { service } = message.data;
    if (message.host === null) return msg`You are on the waitlist`;
    const host = hostInside(message);
    return service ? msg`You are on the waitlist: ${host}, ${service}` : msg`You are on the waitlist: ${host}`;
  },
  button: () => msg`See your place in line`,
  isOver: (_, { isInLine }) => !isInLine,
};
