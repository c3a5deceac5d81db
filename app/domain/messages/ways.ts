import { msg, select } from '@lingui/core/macro';
import type { WithheldMail } from '../mail/withheld-mail';
import { inARow } from '../words/joined';
import type { Words } from '../words/words';

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
  /** For a text to the client: their language, and the seed of a guest's personal link. */
  lang: string | null;
  linkSource: string | null;
};

export const isMailed = (way: Way): boolean => way === 'mail' || way === 'bare';
/** The address to which the mail about the booking went; null if it went to none. */
export const mailedTo = (ways: Ways | undefined): string | null =>
  ways && isMailed(ways.toldBooker) ? ways.bookerEmail : null;
export const isUntold = (way: Way): boolean => way === 'call' || way === 'blocked';

/** What follows a sentence about a bare mail. */
export const reasonAtLink = msg`Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address.`;

/**
 * 'Gus is told by mail.', 'Gus has no e-mail: please call 555 01.'
 * @param withReason a reason goes along; where a bare mail leaves it out, their link shows it
 */
export function wayWords(name: string, way: Way, phone: string | null = null, withReason = false): Words {
  if (isUntold(way)) return callWords(name, way, phone);
  if (way === 'bare' && withReason) return inARow([toldWords(name, 'mail'), reasonAtLink]);
  const by = way === 'news' ? 'news' : 'mail';
  return toldWords(name, withReason ? `${by}WithReason` : by);
}

type WayWithReason = 'mail' | 'mailWithReason' | 'news' | 'newsWithReason';

const toldWords = (name: string, told: WayWithReason): Words =>
  msg`${name} ${select(
    { told },
    {
      mail: 'is told by mail',
      mailWithReason: 'is told by mail, with your reason',
      newsWithReason: 'reads it in their news, with your reason',
      other: 'reads it in their news',
    },
  )}.`;

const callWords = (name: string, way: Way, phone: string | null): Words =>
  phone
    ? msg`${name} ${select({ way }, { blocked: 'gets no mail', other: 'has no e-mail' })}: please call ${phone}.`
    : msg`${name} ${select({ way }, { blocked: 'gets no mail', other: 'has no e-mail' })}: please call.`;
