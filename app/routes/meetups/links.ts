import type { Invitation } from '../../domain/parties/parties';

/** A name's personal link. The id is the key; the name is only for people who read the address. */
export const personalLink = (origin: string, { id, name }: Pick<Invitation, 'id' | 'name'>): string =>
  `${origin}/meetup-rsvp/${id}?name=${encodeURIComponent(name)}`;
