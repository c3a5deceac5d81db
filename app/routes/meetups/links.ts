import type { Invitation } from '../../domain/parties/parties';

/** A name's personal link. The id is the key; the name in it is only for whoever reads the address. */
export const personalLink = (origin: string, { id, name }: Pick<Invitation, 'id' | 'name'>): string =>
  `${origin}/meetup-rsvp/${id}?name=${encodeURIComponent(name)}`;
