import type { Invitation } from '../../domain/parties/parties';
import * as paths from '../../paths';

/** A name's personal link. The id is the key; the name is only for people who read the address. */
export const personalLink = (origin: string, { id, name }: Pick<Invitation, 'id' | 'name'>): string =>
  origin + paths.meetup(id, { name });
