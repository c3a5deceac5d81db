import { msg } from '@lingui/core/macro';
import type { AskEmail } from '../profile/rules';
import type { Words } from '../words/words';

/** At the provider's address, by telephone, over a video link, or at the client's address. */
export const wheres = ['here', 'phone', 'video', 'theirs'] as const;
export type Where = (typeof wheres)[number];

/** As the provider chooses it for a service. */
export const whereChoices: Record<Where, Words> = {
  here: msg`At my address`,
  phone: msg`I call them`,
  video: msg`By video, at my link`,
  theirs: msg`At their address`,
};

/** As people read it who choose; null if it is at the provider's, as usual. */
export const whereOffered: Record<Where, Words | null> = {
  here: null,
  phone: msg({ message: 'by phone', context: 'where a service takes place' }),
  video: msg({ message: 'by video', context: 'where a service takes place' }),
  theirs: msg({ message: 'at your address', context: 'where a service takes place' }),
};

/** As a fact of an appointment. */
export const whereInShort: Record<Where, Words | null> = {
  here: null,
  phone: msg({ message: 'By phone', context: 'where an appointment takes place' }),
  video: msg({ message: 'By video', context: 'where an appointment takes place' }),
  theirs: msg({ message: 'At the client’s', context: 'where an appointment takes place' }),
};

/** As it was booked: `place` is the video link, the client's address, or an address of its own. */
type Booked = { where: Where | null; place: string | null };

/** The location of a calendar entry. @param usual the provider's address, or their city */
export function locationOf({ where, place }: Booked, usual: string | null): Words | null {
  if (where === 'phone') return whereInShort.phone;
  return place ?? (where === null || where === 'here' ? usual : null);
}

/** Whether a form asks for a number: who is to be called has to give one, whatever the provider's rule. */
export const phoneAskedAt = (where: Where | null | undefined, askPhone: AskEmail): AskEmail =>
  where === 'phone' ? 'required' : askPhone;

export const noAddressWords = msg`Please give the address: the appointment takes place there.`;
