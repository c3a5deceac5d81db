import { msg } from '@lingui/core/macro';
import type { WithheldMail } from '../mail/withheld-mail';
import { providerWords } from '../profile/former';
import type { HowAsked, OpenTo } from '../profile/rules';
import type { Answer } from '../templates/questions';
import type { Instant, LocalDate } from '../time/clock';
import type { Words } from '../words/words';

/** An RSVP to a party, or a name's personal link to a meetup. */
export type Invitation = {
  id: string;
  partyId: string;
  username: string; // an account's username, or the name on a meetup's list
  name: string; // the display name, or the name on the list; only the host sees it
  accepted: boolean | null;
  plusOnes: number;
  answers: Answer[];
  rsvpAt: Instant | null;
  email?: string | null; // only the host and the guest see it
  isMailed?: boolean; // the last RSVP was mailed there; only the guest sees it
  isEmailGiven?: boolean; // false if the host typed the address
  phone?: string | null; // only the host and the guest see it
  lang?: string | null; // in which a text to their number is; only the host reads it
  withheld?: WithheldMail | null; // the mail that a limit withholds; only the host and the guest see it
};

export type Attendee = Pick<Invitation, 'id' | 'name' | 'accepted' | 'rsvpAt' | 'email' | 'phone' | 'withheld'>;

export type Invited = Pick<
  Invitation,
  'id' | 'partyId' | 'username' | 'accepted' | 'answers' | 'email' | 'isEmailGiven' | 'phone' | 'withheld'
>;

/** A party invites by one shared link, a meetup by a link for each name. */
export type Party = {
  id: string;
  kind: 'party' | 'meetup';
  providerId: string;
  provider: string;
  providerName: string;
  title: string;
  description: string | null;
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  timeZone: string;
  address: string | null;
  locationUrl: string | null; // the host's own; without it, `mapLink` searches for the address
  templateId: string | null;
  capacity: number | null;
  rsvpBy: LocalDate | null;
  rsvpClosesAt: Instant | null;
  plusOnes: number;
  hideGoing: boolean;
  openTo: OpenTo;
  showOnPage: boolean;
  askEmail: HowAsked;
  askPhone: HowAsked;
  going: number; // how many people come, plus-ones included
  invited: number; // the number of RSVPs to a party, or of names of a meetup
  sequence: number; // rises with every edit; calendars need it
};

/** What the host requires of whoever says yes, and none of these has. */
export function missingContact(
  { askEmail, askPhone }: Pick<Party, 'askEmail' | 'askPhone'>,
  known: (Pick<Invitation, 'email' | 'phone'> | null)[],
) {
  const isMissing = (rule: HowAsked, name: 'email' | 'phone') =>
    rule === 'required' && !known.some((contact) => contact?.[name]);
  return { email: isMissing(askEmail, 'email'), phone: isMissing(askPhone, 'phone') };
}

/** True if they can say yes only with an address or a number that we don't have. */
export function lacksContact(
  party: Pick<Party, 'askEmail' | 'askPhone'>,
  own: Pick<Invitation, 'email' | 'phone'> | null,
): boolean {
  const missing = missingContact(party, [own]);
  return missing.email || missing.phone;
}

/** Where mail about an RSVP goes; null if none does. */
export const mailGoesWords = ({ email, isMailed }: Pick<Invitation, 'email' | 'isMailed'>): Words | null =>
  email && isMailed ? msg`Mail about this goes to ${email}.` : null;

export const rsvpWords = (accepted: boolean | null): Words =>
  accepted === null ? msg`Not Answered` : accepted ? msg`Yes` : msg`No`;

/** The host's own map link, or a search for the address. */
export function mapLink({ locationUrl, address }: Pick<Party, 'locationUrl' | 'address'>): string | null {
  if (locationUrl) return locationUrl;
  return address && `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;
}

export type Before = Pick<Party, 'startsAt' | 'endsAt' | 'date' | 'address' | 'locationUrl'>;

/** The time and place when a guest said yes; null if nothing has changed since, or the guest doesn't come. */
export function movedFrom(party: Party, own: Pick<Invitation, 'accepted'> | null, was: Before | null): Before | null {
  const parts = ['startsAt', 'endsAt', 'address', 'locationUrl'] as const;
  return own?.accepted && was && parts.some((part) => was[part] !== party[part]) ? was : null;
}

export type GuestsParty = Omit<Party, 'invited' | 'providerId' | keyof SeenNames> & SeenNames;

/**
 * Hides from guests what they may not know: how many have answered, how many come if the host hides that, and the
 * host's id.
 */
export function forGuests({ invited: _, providerId: __, ...party }: Party): GuestsParty {
  const { title, providerName } = seenNames(party, true);
  return { ...party, title, providerName, ...(party.hideGoing && { going: 0 }) };
}

/** The party's title and its host's name. If the host has left, the title is `A party`. */
export const seenNames = ({ provider, providerName, kind, title }: Named, isFirst = false): SeenNames =>
  provider === ''
    ? { providerName: providerWords(providerName, isFirst), title: kind === 'party' ? msg`A party` : msg`A meetup` }
    : { providerName, title };
type SeenNames = { providerName: Words; title: Words };
type Named = Pick<Party, 'provider' | 'providerName' | 'kind' | 'title'>;

/** The number of places left; null without a limit. */
export const placesLeft = ({ capacity, going }: Pick<Party, 'capacity' | 'going'>): number | null =>
  capacity === null ? null : Math.max(0, capacity - going);

/** How many places this guest can have, for themselves and their plus-ones. What they have already counts too. */
export function roomFor(party: Party, own: Invitation | null): number {
  const places = placesLeft(party);
  return places === null ? Number.POSITIVE_INFINITY : places + (own?.accepted ? 1 + own.plusOnes : 0);
}

export const mayBring = (party: Party, own: Invitation | null): number =>
  party.hideGoing ? party.plusOnes : Math.max(0, Math.min(party.plusOnes, roomFor(party, own) - 1));

/** @see takesRsvps */
export const isTakingRsvps = ({ endsAt, rsvpClosesAt }: Pick<Party, 'endsAt' | 'rsvpClosesAt'>, now: Instant) =>
  endsAt > now && (rsvpClosesAt === null || rsvpClosesAt > now);

export type Invitee = { name: string; email: string | null };

const named = /^(.*\S)\s*<([^<>\s]*@[^<>\s]*)>$/;

/** Reads names, one in a line, with an address as in `Ada <ada@example.org>` if there is one. */
export const inviteesFromLines = (lines: string[]): Invitee[] =>
  lines
    .flatMap((text) => text.split('\n'))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const [, name = text, email = null] = named.exec(text) ?? [];
      return { name, email };
    });

export const invalidLink = msg`Invalid link – please check your invitation URL.`;

/** True for 22 characters of base64url. */
export const isInvitationId = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text);
