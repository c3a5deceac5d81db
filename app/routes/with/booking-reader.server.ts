import type { Viewer } from '../../domain/login/sessions.server';
import { isGuest, isOwnedBy } from '../../domain/profile/accounts';
import type { HowAsked } from '../../domain/profile/rules';
import type { Words } from '../../domain/words/words';
import type { Reader } from './BookingForm';

type Booked = { providerId: string | null; askEmail: HowAsked; limit: Words | null };

/** The reader of the form that books this; the provider of a shop's time is null. */
export const readerOf = (account: Viewer | null, { providerId, askEmail, limit }: Booked): Reader =>
  account && {
    displayName: account.displayName,
    isProvider: account.role === 'Provider',
    isOwn: isOwnedBy(account, { providerId }),
    isGuest: isGuest(account),
    limit,
    needsEmail: isGuest(account) && account.email === null && askEmail === 'required',
  };
