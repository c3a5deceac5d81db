import type { WithheldMail } from '../mail/withheld-mail';

/** `bare`: by mail, but without the provider's own words. `call`: they have no address. `blocked`: it gets no mail. */
export type Way = 'mail' | 'bare' | 'news' | 'call' | 'blocked';

export type Ways = {
  toBooker: Way;
  /** For the message that such a booking is made. */
  bookedWay: Way;
  /** How the client was told of the booking, or that it was moved. */
  toldBooker: Way;
  /** That mail, if a limit withholds it. */
  withheld: WithheldMail | null;
  toProvider: Way;
  bookerEmail: string | null;
};

export const isMailed = (way: Way): boolean => way === 'mail' || way === 'bare';
/** The address to which the mail about the booking went; null if it went to none. */
export const mailedTo = (ways: Ways | undefined): string | null =>
  ways && isMailed(ways.toldBooker) ? ways.bookerEmail : null;
export const isUntold = (way: Way): boolean => way === 'call' || way === 'blocked';

/** 'Gus is told by mail', 'Gus has no e-mail: please call 555 01'. */
export function wayWords(name: string, way: Way, phone: string | null = null): string {
  if (isMailed(way)) return `${name} is told by mail`;
  if (way === 'news') return `${name} reads it in their news`;
  return `${name} ${way === 'call' ? 'has no e-mail' : 'gets no mail'}: please call${phone ? ` ${phone}` : ''}`;
}

/** The end of a sentence about somebody who is told. Their link shows the reason that a bare mail leaves out. */
export const reasonWords = (way: Way): string =>
  way === 'bare'
    ? '. Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address'
    : ', with your reason';
