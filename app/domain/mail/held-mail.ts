/** The limits of an address or a sender, or the reader's own wish. */
export const whyHeld = ['sender', 'new', 'often', 'full', 'questions', 'guests', 'ended', 'refused'] as const;
export type WhyHeld = (typeof whyHeld)[number];

/** `isWaiting`: it goes out later, by itself or because the sender wants it so. */
export type HeldMail = { why: WhyHeld; isWaiting: boolean };

const words: Record<WhyHeld, string> = {
  sender: 'Not mailed: confirm your own e-mail address first.',
  new: 'Not mailed: you have written to as many new addresses today as you may in a day.',
  often: 'Not mailed: three invitations went to this address today.',
  full: 'Not mailed: this address has had as many mails today as it may get in a day.',
  questions: 'Not mailed: this address was asked three times today.',
  guests: 'Not mailed yet: many people book here in this hour.',
  ended: 'Wants no more mail of yours.',
  refused: 'This address takes no mail from here.',
};

/** For a sender who has no link to pass on. */
export const heldReason = ({ why, isWaiting }: HeldMail): string =>
  isWaiting && why !== 'guests' ? 'Not mailed yet: it goes out tomorrow.' : words[why];

export const heldWords = (held: HeldMail): string =>
  held.why === 'ended' || held.why === 'refused'
    ? `${heldReason(held)} Please send the link yourself.`
    : heldReason(held);

const forSender: readonly WhyHeld[] = ['sender', 'new', 'often', 'ended'];

/** For the reader, to whom a sender's own reasons say nothing. */
export const heldWordsForReader = (held: HeldMail): string =>
  forSender.includes(held.why) && !held.isWaiting ? 'No mail about this goes out.' : heldReason(held);

/** Null if nothing can send it. */
export function sendWords({ why, isWaiting }: HeldMail): string | null {
  if (isWaiting || why === 'ended' || why === 'refused') return null;
  return why === 'sender' ? 'Send it now' : 'Send it tomorrow';
}

/** Null if the sender alone can send it. */
export const sendWordsForReader = (held: HeldMail): string | null =>
  forSender.includes(held.why) ? null : sendWords(held);

export function heldMail(text: string | null): HeldMail | null {
  const [state, why] = text?.split(' ') ?? [];
  return state && why ? { why: why as WhyHeld, isWaiting: state === 'waiting' } : null;
}
