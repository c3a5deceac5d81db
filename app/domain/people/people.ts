import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { email, page, paragraph, phone, requiredText, seenName } from '../input/fields';
import { limits } from '../input/limits';
import type { Instant } from '../time/clock';
import type { AttendanceCounts } from './attendance-words';

/* A provider's clients; each has a card. */

/** A provider's own record of a client, with how often they came. Nobody else sees it. */
export type Card = AttendanceCounts & {
  id: string;
  name: string;
  /** The client's username; null for a guest, and for somebody who never booked with an account. */
  username: string | null;
  email: string | null;
  phone: string | null;
};

/** A card in a list, with the starts of their next and their last appointment. */
export type ListedCard = Card & { next: Instant | null; last: Instant | null };

/** A card as its own page shows it. */
export type ShownCard = ListedCard & { note: string | null };

/** A card with the number of appointments that stand, past and coming. */
export type WholeCard = ShownCard & { booked: number };

const name = seenName(msg`Name`, limits.displayName);
const note = paragraph(msg`Note`, limits.personNote);

export const newCard = z.object({ name, email, phone, note });
export type NewCard = z.output<typeof newCard>;

/** A change of a card. A field that is left out stays. A blank field is cleared, except the name. */
export const cardChange = z.object({
  name: z.optional(name),
  email: z.optional(email),
  phone: z.optional(phone),
  note: z.optional(note),
});
export type CardChange = Partial<NewCard>;

export const peopleFilter = z.object({ page, q: z.optional(z.string()) });

export const personPage = z.object({ id: requiredText(msg`Id`), page });

export const personId = z.object({ id: requiredText(msg`Id`) });

export const mergeIds = z.object({ id: requiredText(msg`Id`), into: requiredText(msg`The other id`) });
