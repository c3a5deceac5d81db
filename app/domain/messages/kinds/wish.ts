import * as paths from '../../../paths';
import { plainService } from '../plain-names';
import type { KindWith, MessageWith } from './kind';
import { hostName } from './words';

type Wish = {
  wishId: string;
  /** 'any time, from Wed 2 Dec, 09:00 on'. */
  times: string | null;
  service: string | null;
};
type Stored = { wish?: string; times?: string; service?: string | null };

const wishedFor = ({ data: { service, times } }: MessageWith<Wish>) => [service, times].filter(Boolean).join(', ');

function sentence(message: MessageWith<Wish>): string {
  const [host, wished] = [hostName(message), wishedFor(message)];
  const waits = wished ? `You wait for a time of ${host}: ${wished}.` : `You wait for a time of ${host}.`;
  return `${waits} We tell you when one comes free. The link shows your place in line, and how to stop.`;
}

/** The confirmation that the reader is on a waitlist. */
export const wish: KindWith<Wish> = {
  mails: 'about what you wait for',
  switchedOffBy: 'anyone',
  isFromHost: true,
  data: ({ wish = '', times, service }: Stored) => ({ wishId: wish, times: times ?? null, service: service ?? null }),
  withoutHostTexts: (data) => ({ ...data, service: plainService(data.service) }),
  sentence,
  link: () => paths.waitlist(),
  mailSubject(message) {
    const { service } = message.data;
    const what = service ? `${message.host}, ${service}` : message.host;
    return what ? `You are on the waitlist: ${what}` : 'You are on the waitlist';
  },
  button: () => 'See your place in line',
  isOver: (_, { isInLine }) => !isInLine,
};
