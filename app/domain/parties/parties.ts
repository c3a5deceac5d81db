import { providerWords } from '../leaving/former';
import type { HeldMail } from '../messages/held-mail';
import type { AskEmail, OpenTo } from '../profile/rules';
import type { Answer } from '../templates/questions';
import type { Instant, LocalDate } from '../time/clock';

/** An RSVP to a party, or a name's personal link to a meetup. */
export type Invitation = {
  id: string;
  partyId: string;
  /** A guest's username, or the name on a meetup's list. */
  username: string;
  /** A guest's display name, or the name on the list; for the host. */
  name: string;
  accepted: boolean | null;
  plusOnes: number;
  answers: Answer[];
  answeredAt: Instant | null;
  /** The address for mail about it; for the host and the guest. */
  email?: string | null;
  /** True if the guest gave that address, false if the host typed it. */
  isEmailGiven?: boolean;
  /** For the host and the guest. */
  phone?: string | null;
  /** The mail to a name that a limit holds back; for the host. */
  held?: HeldMail | null;
};

export type Attendee = Pick<Invitation, 'id' | 'name' | 'accepted' | 'answeredAt' | 'email' | 'phone' | 'held'>;

/** An invitation in lists of the API. */
export type Invited = Pick<
  Invitation,
  'id' | 'partyId' | 'username' | 'accepted' | 'answers' | 'email' | 'isEmailGiven' | 'phone' | 'held'
>;

/** A party or a meetup: one kind of thing, with two ways to invite. */
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
  /** The host's own map link; `mapLink` falls back to a search. */
  locationUrl: string | null;
  templateId: string | null;
  capacity: number | null;
  rsvpBy: LocalDate | null;
  rsvpClosesAt: Instant | null;
  plusOnes: number;
  hideGoing: boolean;
  openTo: OpenTo;
  /** The host's own page lists it. */
  showOnPage: boolean;
  askEmail: AskEmail;
  askPhone: AskEmail;
  /** People coming, plus-ones included. */
  going: number;
  /** RSVPs to a party, or names of a meetup. */
  invited: number;
  /** Rises with every edit, as calendars want it. */
  sequence: number;
};

/** An RSVP in words, for lists. */
export const rsvpWords = (accepted: boolean | null) => (accepted === null ? 'Not Answered' : accepted ? 'Yes' : 'No');

/** The host's own map link, else a search for the address; null without either. */
export function mapLink({ locationUrl, address }: Pick<Party, 'locationUrl' | 'address'>): string | null {
  if (locationUrl) return locationUrl;
  return address && `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;
}

/** The time and place of a party before it moved. */
export type Before = Pick<Party, 'startsAt' | 'endsAt' | 'date' | 'address' | 'locationUrl'>;

/** The time and place to which a guest said yes; null if they still hold, and for guests who don't come. */
export function movedFrom(party: Party, own: Pick<Invitation, 'accepted'> | null, was: Before | null): Before | null {
  const parts = ['startsAt', 'endsAt', 'address', 'locationUrl'] as const;
  return own?.accepted && was && parts.some((part) => was[part] !== party[part]) ? was : null;
}

export type GuestsParty = Omit<Party, 'invited' | 'providerId'>;

/**
 * A party without what guests may not know, for the data behind a page too: not how many have answered, nor how many come if
 * the host hides that, and not the host's id.
 */
export function forGuests({ invited: _, providerId: __, ...party }: Party): GuestsParty {
  const { title, providerName } = seenNames(party, true);
  return { ...party, title, providerName, ...(party.hideGoing && { going: 0 }) };
}

/** The host's name and the title as guests read them. If the host has left, the title is `A party`. */
export const seenNames = (
  { provider, providerName, kind, title }: Named,
  isFirst = false,
): Pick<Party, 'providerName' | 'title'> =>
  provider === ''
    ? { providerName: providerWords(providerName, isFirst), title: `A ${kind}` }
    : { providerName, title };
type Named = Pick<Party, 'provider' | 'providerName' | 'kind' | 'title'>;

/** Null without a limit. */
export const placesLeft = ({ capacity, going }: Pick<Party, 'capacity' | 'going'>): number | null =>
  capacity === null ? null : Math.max(0, capacity - going);

/** The places for this guest and their plus-ones: those left, and those they hold already. */
export function roomFor(party: Party, own: Invitation | null): number {
  const left = placesLeft(party);
  return left === null ? Number.POSITIVE_INFINITY : left + (own?.accepted ? 1 + own.plusOnes : 0);
}

export const mayBring = (party: Party, own: Invitation | null): number =>
  party.hideGoing ? party.plusOnes : Math.max(0, Math.min(party.plusOnes, roomFor(party, own) - 1));

export const isTakingRsvps = ({ endsAt, rsvpClosesAt }: Pick<Party, 'endsAt' | 'rsvpClosesAt'>, now: Instant) =>
  endsAt > now && (rsvpClosesAt === null || rsvpClosesAt > now);

/** A name for a meetup's list, and the address for its invitation. */
export type Invitee = { name: string; email: string | null };

const named = /^(.*\S)\s*<([^<>\s]*@[^<>\s]*)>$/;

/** Reads names, one to a line, with an address as in `Ada <ada@example.org>`. */
export const inviteesFromLines = (lines: string[]): Invitee[] =>
  lines
    .flatMap((text) => text.split('\n'))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const [, name = text, email = null] = named.exec(text) ?? [];
      return { name, email };
    });

/** For a link that can't be ours: cut off, or typed wrong. */
export const invalidLink = 'Invalid link – please check your invitation URL.';

/** True for the shape of ids in links: 22 characters of base64url. */
export const isInvitationId = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text);
