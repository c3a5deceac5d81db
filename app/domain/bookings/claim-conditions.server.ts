import { sql } from 'drizzle-orm';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { slots } from '../../../db/schema';
import { isBooked } from '../../../db/states';
import { isWithin } from '../login/throttles.server';
import { hasAddressNeeded, hasPhoneAskedFor, hasWhatItNeeds } from '../services/where.server';
import { isForSomeone, ofRequest, type Shape } from './claim-request.server';
import { whyNot } from './claimable.server';
import { hasAccess } from './link-owners.server';
import { canLogIn, takesPerson } from './rules.server';
import { placeKindOf, questionsOf, slotWithService } from './slot-with-service.server';

// Conditions on one time of a claim, of every shape.

export const wantedId = sql`(wanted.value ->> 0)`;
export const wantedTimes = sql`json_each(${ofRequest('times')}) AS wanted`;
const provider = sql`provider`;

/** SQL: the person has this wanted time already, as `own`. The first of a series is often an existing appointment. */
export const isTheirs = (
  shape: Shape,
) => sql`(own.provider_id = ${providerOf(wantedId)} AND own.starts_at = ${startOf(wantedId)}
  AND (own.id = ${wantedId} OR own.slot_id = ${wantedId}) AND ${isBooked('own')}
  AND ${isForSomeone(shape) ? sql`(own.person_id = ${ofRequest('personId')} OR own.booker_id = ${ofRequest('accountId')})` : sql`own.booker_id = ${ofRequest('accountId')}`})`;
export const wantedAndOwn = (shape: Shape) => sql`${wantedTimes} CROSS JOIN bookings AS own ON ${isTheirs(shape)}`;
export const countOwn = (shape: Shape) => sql`(SELECT count(DISTINCT wanted.key) FROM ${wantedAndOwn(shape)})`;
export const firstOfOwn = (shape: Shape, column: 'phone' | 'series_id' | 'place', isMeant = sql`true`) =>
  sql`(SELECT own.${sql.identifier(column)} FROM ${wantedAndOwn(shape)} AND own.${sql.identifier(column)} IS NOT NULL AND ${isMeant} LIMIT 1)`;

export const slotsOf = (shape: Shape) => sql`${wantedTimes}
  CROSS JOIN ${slotWithService(serviceOf(shape))} CROSS JOIN accounts AS provider ON provider.id = slots.provider_id`;

export const askingOf = (shape: Shape) => ({
  people: ofRequest('people'),
  now: ofRequest('now'),
  accountId: ofRequest('accountId'),
  provider,
  isBound: !isForSomeone(shape),
  mayBeOff: isForSomeone(shape) && (shape.what === 'time' || shape.what === 'anyTime'),
  ...(isForSomeone(shape) && { personId: ofRequest('personId') }),
  ...(shape.what !== 'series' && { terms: ofRequest('terms') }),
});
export const serviceOf = ({ isService }: Shape) => (isService ? ofRequest('service') : null);

/** SQL: the address from this form, or of a booking of the series that the person has already. Few series take place there. */
export const addressOf = (shape: Shape) =>
  shape.what === 'series'
    ? sql`coalesce(${ofRequest('address')}, ${firstOfOwn(shape, 'place', sql`own.place_kind = 'theirs'`)})`
    : ofRequest('address');

/** SQL: the number from this form, or of a booking of the series that the person has already. */
export const phoneOf = ({ what }: Shape) =>
  what === 'series' ? sql`coalesce(${ofRequest('phone')}, request.own_phone)` : ofRequest('phone');

/** SQL: the person has given what is needed where it takes place. */
export const isReachable = (shape: Shape) => {
  const kind = shape.what === 'anyTime' && !shape.isService ? sql`NULL` : placeKindOf(shape);
  const given = { kind, phone: phoneOf(shape), address: addressOf(shape) };
  return isForSomeone(shape) ? hasAddressNeeded(given) : hasWhatItNeeds(given);
};

/** SQL: this slot is wanted, and they can have it. */
export const isFree = (shape: Shape) =>
  sql`${hasId(slots, wantedId)} AND ${isReachable(shape)} AND ${whyNot(askingOf(shape), serviceOf(shape))} IS NULL`;

/**
 * SQL: a guest needs a provider who takes guests. Everybody gives the phone number that is asked for; guests
 * the e-mail address too, and none where the provider takes none. A guest's network must not have booked too often; prepareGuestWhere asks that of a new guest.
 * @see lackedBy, of a form; whyNotGranted, which says why not, and refusalOfSeries, of a series
 */
export const mayBook = (
  shape: Shape,
) => sql`(${hasPhoneAskedFor({ askPhone: sql`provider.ask_phone`, phone: phoneOf(shape) })}
  AND ${takesPerson(provider, ofRequest('accountId'))} AND (${canLogIn(ofRequest('accountId'))}
    OR ${isWithin({ bucket: ofRequest('tryBucket'), limit: ofRequest('tryLimit') })}
    AND (provider.ask_email <> 'required'
      OR coalesce(${ofRequest('email')}, (SELECT email FROM accounts AS booker WHERE booker.id = ${ofRequest('accountId')})) IS NOT NULL)
    AND (provider.ask_email <> 'no' OR ${ofRequest('email')} IS NULL)))`;

/** SQL: whoever claims does so from their own book. @param book SQL: whose it is */
export const isOwnBook = (book = ofRequest('provider')) => ownedBy(ofRequest('actorId'), { providerId: book });

/** SQL: the time is in the book that is claimed from, and whoever asks may book there. */
export const isInBookOf = (shape: Shape) =>
  sql`provider.id = ${ofRequest('provider')} AND ${isForSomeone(shape) ? isOwnBook(sql`provider.id`) : mayBook(shape)}`;

/** SQL: the template of the time that is asked for. At any time only a service has questions. */
export const questionsAt = (shape: Shape) =>
  shape.what === 'anyTime' ? (shape.isService ? sql`service.template_id` : sql`NULL`) : questionsOf(shape);

/** SQL: the questions that are asked there are those that the person has answered, or may be answered later. */
export const areAnswered = (shape: Shape) => sql`((${questionsAt(shape)} IS NULL OR NOT ${ofRequest('requireAnswers')})
  AND (NOT ${ofRequest('checksTemplate')} OR ${questionsAt(shape)} IS ${ofRequest('askedTemplateId')}))`;

/** SQL: whoever claims is logged in, or has the link of a booking. */
export const mayAsk = ({ by }: Shape) =>
  hasAccess(
    by === 'link'
      ? { linkSource: ofRequest('linkSource') }
      : {
          accountId: ofRequest('actorId'),
          sessionId: ofRequest('sessionId'),
          ...(by === 'desk' && { memberId: ofRequest('memberId') }),
        },
    ofRequest('linkedId'),
    ofRequest('now'),
  );
