import { msg, plural } from '@lingui/core/macro';
import { inARow } from '../words/joined';
import type { Words } from '../words/words';

/** How many invitations one sender may send to an address in a day. */
export const invitationsADay = 3;
/** How often an address may be asked in a day whether it is somebody's. */
export const questionsADay = 3;

/** The limits of an address or a sender, or the reader's own wish. */
export const reasonsToWithhold = ['sender', 'new', 'often', 'full', 'questions', 'guests', 'ended', 'refused'] as const;
export type WhyWithheld = (typeof reasonsToWithhold)[number];

/** `isDelayed`: it goes out later, by itself or because the sender wants it so. */
export type WithheldMail = { why: WhyWithheld; isDelayed: boolean };

const words: Record<WhyWithheld, Words> = {
  sender: msg`Not mailed: confirm your own e-mail address first.`,
  new: msg`Not mailed: you have written to as many new addresses today as you may in a day.`,
  often: msg`Not mailed: ${plural({ most: invitationsADay }, { one: '# invitation', other: '# invitations' })} went to this address today.`,
  full: msg`Not mailed: this address has had as many mails today as it may get in a day.`,
  questions: msg`Not mailed: this address was asked ${plural({ most: questionsADay }, { one: 'once', other: '# times' })} today.`,
  guests: msg`Not mailed yet: many people book here in this hour.`,
  ended: msg`Wants no more mail of yours.`,
  refused: msg`This address takes no mail from here.`,
};

/** For a sender, in a list that shows no link to pass on. */
export const withheldReason = ({ why, isDelayed }: WithheldMail): Words =>
  isDelayed && why !== 'guests' ? msg`Not mailed yet: it goes out tomorrow.` : words[why];

/** For a sender beside a link, which they can pass on themselves where no mail will ever go. */
export function withheldWords(withheld: WithheldMail): Words {
  const { why } = withheld;
  const reason = withheldReason(withheld);
  return why === 'ended' || why === 'refused' ? inARow([reason, msg`Please send the link yourself.`]) : reason;
}

const forSender: readonly WhyWithheld[] = ['sender', 'new', 'often', 'ended'];

/** For the reader, to whom a sender's own reasons say nothing. */
export const withheldWordsForReader = (withheld: WithheldMail): Words =>
  forSender.includes(withheld.why) && !withheld.isDelayed
    ? msg`No mail about this goes out.`
    : withheldReason(withheld);

/** Null if nothing can send it. */
export function sendWords({ why, isDelayed }: WithheldMail): Words | null {
  if (isDelayed || why === 'ended' || why === 'refused') return null;
  return why === 'sender' ? msg`Send it now` : msg`Send it tomorrow`;
}

/** Null if the sender alone can send it. */
export const sendWordsForReader = (withheld: WithheldMail): Words | null =>
  forSender.includes(withheld.why) ? null : sendWords(withheld);

/** @param text the state of the mail and the reason, as in `withheld full`; null if it is not withheld */
export function withheldMail(text: string | null): WithheldMail | null {
  const [state, why] = text?.split(' ') ?? [];
  return state && why ? { why: why as WhyWithheld, isDelayed: state === 'waiting' } : null;
}
