import type { OpenTo } from '../accounts/rules';
import type { Answer } from '../templates/questions';
import type { Instant, LocalDate } from '../time/clock';

/** An RSVP to a party, or a name's personal link to a meetup. */
export type Invitation = {
  id: string;
  partyId: string;
  /** A guest's username, or the name on a meetup's list. */
  username: string;
  /** What the host reads: a guest's display name, or the name on the list. */
  name: string;
  accepted: boolean | null;
  /** How many people a guest brings. */
  plusOnes: number;
  answers: Answer[];
  answeredAt: Instant | null;
  /** Where the host has the invitation of a name sent; only the host reads it. */
  email?: string | null;
};

/** A name of a meetup, as its host sees it. */
export type Attendee = Pick<Invitation, 'id' | 'name' | 'accepted' | 'answeredAt' | 'email'>;

/** As much of it as the lists of the API say. */
export type Invited = Pick<Invitation, 'id' | 'partyId' | 'username' | 'accepted' | 'answers'>;

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
  /** The host's local date. */
  date: LocalDate;
  timeZone: string;
  address: string | null;
  /** The host's own map link; `mapLink` falls back to a search. */
  locationUrl: string | null;
  templateId: string | null;
  capacity: number | null;
  /** The last day to RSVP. */
  rsvpBy: LocalDate | null;
  rsvpClosesAt: Instant | null;
  plusOnes: number;
  hideGoing: boolean;
  /** Whether guests may answer, or accounts only. */
  openTo: OpenTo;
  /** The host's own page lists it. */
  showOnPage: boolean;
  /** People coming, plus-ones included. */
  going: number;
  /** RSVPs to a party, or names of a meetup. */
  invited: number;
  /** Rises with every edit, as calendars want it. */
  sequence: number;
};

/** An RSVP in words, for lists. */
export const rsvpWords = (accepted: boolean | null) => (accepted === null ? 'Not Answered' : accepted ? 'Yes' : 'No');

/** Where the party is on a map: the host's own link, else a search for the address; null without either. */
export function mapLink({ locationUrl, address }: Pick<Party, 'locationUrl' | 'address'>): string | null {
  if (locationUrl) return locationUrl;
  return address && `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;
}

/** When and where a party or meetup was before it moved. */
export type Before = Pick<Party, 'startsAt' | 'endsAt' | 'date' | 'address' | 'locationUrl'>;

/** When and where it was as this guest said yes; null where it is that still, and for who does not come. */
export function movedFrom(party: Party, own: Pick<Invitation, 'accepted'> | null, was: Before | null): Before | null {
  const parts = ['startsAt', 'endsAt', 'address', 'locationUrl'] as const;
  return own?.accepted && was && parts.some((part) => was[part] !== party[part]) ? was : null;
}

/** A party as guests may have it. */
export type GuestsParty = Omit<Party, 'invited' | 'providerId'>;

/**
 * What guests may have of a party, in the data behind a page too: not how many have answered, not how many come where
 * the host hides that, and not the host's id.
 */
export function forGuests({ invited: _, providerId: __, ...party }: Party): GuestsParty {
  return party.hideGoing ? { ...party, going: 0 } : party;
}

/** How many more people fit; null where there is no limit. */
export const placesLeft = ({ capacity, going }: Pick<Party, 'capacity' | 'going'>): number | null =>
  capacity === null ? null : Math.max(0, capacity - going);

/** How many people this guest may be: the places that are left, and the places they hold already. */
export function roomFor(party: Party, own: Invitation | null): number {
  const left = placesLeft(party);
  return left === null ? Number.POSITIVE_INFINITY : left + (own?.accepted ? 1 + own.plusOnes : 0);
}

/** How many people a guest can bring, as they may know it: the places left would tell how many are coming. */
export const mayBring = (party: Party, own: Invitation | null): number =>
  party.hideGoing ? party.plusOnes : Math.max(0, Math.min(party.plusOnes, roomFor(party, own) - 1));

/** True while the party takes RSVPs. */
export const isTakingRsvps = ({ endsAt, rsvpClosesAt }: Pick<Party, 'endsAt' | 'rsvpClosesAt'>, now: Instant) =>
  endsAt > now && (rsvpClosesAt === null || rsvpClosesAt > now);

/** A name on a meetup's list, and where its invitation goes by mail. */
export type Invitee = { name: string; email: string | null };

const named = /^(.*\S)\s*<([^<>\s]*@[^<>\s]*)>$/;

/** Names as a person writes them: one to a line, with an address as in `Ada <ada@example.org>`. Blank lines are no names. */
export const inviteesFromLines = (lines: string[]): Invitee[] =>
  lines
    .flatMap((text) => text.split('\n'))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const [, name = text, email = null] = named.exec(text) ?? [];
      return { name, email };
    });

/** What is said of a link that can't be one of ours: cut off, or typed wrong. */
export const invalidLink = 'Invalid link – please check your invitation URL.';

/** The shape of the identifiers in links: 22 characters of base64url. */
export const isInvitationId = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text);
