import * as paths from '../../../paths';
import type { KindWith } from './kind';
import { hostName } from './words';

type Wish = { wishId: string };

/** The confirmation that the reader is on a waitlist. */
export const wish: KindWith<Wish> = {
  mails: 'about what you wait for',
  switchedOffBy: 'anyone',
  isFromHost: true,
  data: ({ wish = '' }: { wish?: string }) => ({ wishId: wish }),
  sentence: (message) =>
    `You wait for a time of ${hostName(message)}. We tell you when one comes free. The link shows your place in line, and how to stop.`,
  link: () => paths.waitlist(),
  mailSubject: () => 'You are on the waitlist',
  button: () => 'See your place in line',
  isOver: (_, { isInLine }) => !isInLine,
};
