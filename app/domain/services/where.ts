import { msg } from '@lingui/core/macro';
import type { Fault } from '../errors';
import type { HowAsked } from '../profile/rules';
import type { Words } from '../words/words';

/** At the provider's address, by telephone, over a video link, or at the client's address. */
export const wheres = ['here', 'phone', 'video', 'theirs'] as const;
export type Where = (typeof wheres)[number];

const [byPhone, byVideo, atYours] = [msg`By phone`, msg`By video`, msg`At your address`];

/** As people read it who choose; null if it is at the provider's, as usual. */
export const whereOffered: Record<Where, Words | null> = {
  here: null,
  phone: byPhone,
  video: byVideo,
  theirs: atYours,
};

const whereForClient: Record<Where, Words | null> = { ...whereOffered, phone: msg`By phone: you are called` };
const whereForProvider: Record<Where, Words | null> = {
  ...whereOffered,
  phone: msg`By phone: you call`,
  theirs: msg`At the client’s`,
};

/** Where it takes place, for one of the two whose appointment it is; null at the provider's. */
export const whereWords = (where: Where | null, isProvider: boolean): Words | null =>
  (isProvider ? whereForProvider : whereForClient)[where ?? 'here'];

/** As it was booked: `place` is the video link, the client's address, or an address of its own. */
type Booked = { where: Where | null; place: string | null };

/** The place in one line, of a mail or a calendar entry. @param usual the provider's address, or their city */
export const locationOf = ({ where, place }: Booked, usual: string | null, isProvider: boolean): Words | null =>
  place ?? whereWords(where, isProvider) ?? usual;

/** What a booking needs by where it takes place: a number to call, or an address to go to. */
export const needsAt = (where: Where | null | undefined) => ({
  phone: where === 'phone',
  address: where === 'theirs',
});

/** Whether a form asks for a number: who is to be called has to give one, whatever the provider's rule. */
export const phoneAskedAt = (where: Where | null | undefined, askPhone: HowAsked): HowAsked =>
  needsAt(where).phone ? 'required' : askPhone;

const noAddressWords = msg`Please give the address: the appointment takes place there.`;
const noNumberWords = msg`Please give a phone number: you are called at it.`;
export const noPhoneWords = msg`Please give a phone number: it is asked for here.`;

/**
 * What a booking still needs before it can be made there.
 * @param askPhone the provider's rule; null for a provider who books for somebody, and knows how to call them
 */
export function lackedAt(
  where: Where | null | undefined,
  { hasPhone, hasAddress }: { hasPhone: boolean; hasAddress: boolean },
  askPhone: HowAsked | null,
): Fault[] {
  const needs = needsAt(where);
  const lacksPhone = askPhone !== null && phoneAskedAt(where, askPhone) === 'required' && !hasPhone;
  return [
    ...(lacksPhone ? [{ field: 'phone', message: needs.phone ? noNumberWords : noPhoneWords }] : []),
    ...(needs.address && !hasAddress ? [{ field: 'address', message: noAddressWords }] : []),
  ];
}
