import { providerWords } from '../leaving/former';
import type { HeldMail } from '../messages/held-mail';
import type { AskEmail, OpenTo } from '../profile/rules';
import type { Answer } from '../templates/questions';
import type { Instant, LocalDate } from '../time/clock';

/** An RSVP to a party, or a name's personal link to a meetup. */
export type Invitation = {
  id: string;
  partyId: string;
  username: string; // a guest's username, or the name on a meetup's list
  name: string; // the display name or the name on the list; for the host
  accepted: boolean | null;
  plusOnes: number;
  answers: Answer[];
  answeredAt: Instant | null;
  email?: string | null; // for the host and the guest
  isMailHeld?: boolean; // no mail goes there, for now or for good; for the guest
  isEmailGiven?: boolean; // false if the host typed the address
  phone?: string | null; // for the host and the guest
  held?: HeldMail | null; // the mail that a limit holds back; for the host
};

export type Attendee = Pick<Invitation, 'id' | 'name' | 'accepted' | 'answeredAt' | 'email' | 'phone' | 'held'>;

export type Invited = Pick<
  Invitation,
  'id' | 'partyId' | 'username' | 'accepted' | 'answers' | 'email' | 'isEmailGiven' | 'phone' | 'held'
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
  locationUrl: string | null; // the host's own; `mapLink` falls back to a search
  templateId: string | null;
  capacity: number | null;
  rsvpBy: LocalDate | null;
  rsvpClosesAt: Instant | null;
  plusOnes: number;
  hideGoing: boolean;
  openTo: OpenTo;
  showOnPage: boolean;
  askEmail: AskEmail;
  askPhone: AskEmail;
  going: number; // people, plus-ones included
  invited: number; // RSVPs to a party, or names of a meetup
  sequence: number; // rises with every edit, as calendars want it
};

export const rsvpWords = (accepted: boolean | null) => (accepted === null ? 'Not Answered' : accepted ? 'Yes' : 'No');

/** The host's own map link, else a search for the address. */
export function mapLink({ locationUrl, address }: Pick<Party, 'locationUrl' | 'address'>): string | null {
  if (locationUrl) return locationUrl;
  return address && `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;
}

export type Before = Pick<Party, 'startsAt' | 'endsAt' | 'date' | 'address' | 'locationUrl'>;

/** The time and place to which a guest said yes; null if they still hold, and for guests who don't come. */
export function movedFrom(party: Party, own: Pick<Invitation, 'accepted'> | null, was: Before | null): Before | null {
  const parts = ['startsAt', 'endsAt', 'address', 'locationUrl'] as const;
  return own?.accepted && was && parts.some((part) => was[part] !== party[part]) ? was : null;
}

export type GuestsParty = Omit<Party, 'invited' | 'providerId'>;

/**
 * A party without what guests may not know: how many have answered, how many come if the host hides that, and the
 * host's id.
 */
export function forGuests({ invited: _, providerId: __, ...party }: Party): GuestsParty {
  const { title, providerName } = seenNames(party, true);
  return { ...party, title, providerName, ...(party.hideGoing && { going: 0 }) };
}

/** If the host has left, the title is `A party`. */
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

/** The places for this guest and their plus-ones, with those they hold already. */
export function roomFor(party: Party, own: Invitation | null): number {
  const places = placesLeft(party);
  return places === null ? Number.POSITIVE_INFINITY : places + (own?.accepted ? 1 + own.plusOnes : 0);
}

export const mayBring = (party: Party, own: Invitation | null): number =>
  party.hideGoing ? party.plusOnes : Math.max(0, Math.min(party.plusOnes, roomFor(party, own) - 1));

export const isTakingRsvps = ({ endsAt, rsvpClosesAt }: Pick<Party, 'endsAt' | 'rsvpClosesAt'>, now: Instant) =>
  endsAt > now && (rsvpClosesAt === null || rsvpClosesAt > now);

export type Invitee = { name: string; email: string | null };

const named = /^(.*\S)\s*<([^<>\s]*@[^<>\s]*)>$/;

/** One to a line, with an address as in `Ada <ada@example.org>`. */
export const inviteesFromLines = (lines: string[]): Invitee[] =>
  lines
    .flatMap((text) => text.split('\n'))
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const [, name = text, email = null] = named.exec(text) ?? [];
      return { name, email };
    });

export const invalidLink = 'Invalid link – please check your invitation URL.';

/** 22 characters of base64url. */
export const isInvitationId = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text);
