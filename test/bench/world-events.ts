import { fold, sortKey } from '../../app/domain/input/fold';
import { addDays, type Instant } from '../../app/domain/time/clock';
import { eventInstants, todayIn } from '../../app/domain/time/zones';
import {
  cityOf,
  consumerId,
  consumerName,
  idOf,
  personName,
  providerId,
  rich,
  templateId,
  templatesOf,
  type WorldSize,
  zoneOf,
} from './world-plan';

/** A row as JSON has it. */
type Row = (string | number | null)[];

const day = 24 * 60 * 60 * 1000;
const perEvent = 50;

/** Parties and meetups take turns: the nth party is event 2n, the nth meetup 2n + 1. The first are the rich provider's. */
export const partyId = (nth: number) => idOf('party', 2 * nth);
export const meetupId = (nth: number) => idOf('party', 2 * nth + 1);
/** The first invitation of an event; in the first parties it is the rich consumer's. */
export const firstInvitation = (event: number) => idOf('invitation', event * 1_000);

const richEvents = 2 * rich.events;
const eventCount = ({ invitations }: WorldSize) => Math.max(richEvents + 8, Math.ceil(invitations / perEvent));

/** How many parties and meetups there are, those without replies included. */
export const partyCount = (size: WorldSize) => eventCount(size) + size.openParties;

/** The nth party without capacity and answers. */
export const openPartyId = (size: WorldSize, nth: number) => idOf('party', eventCount(size) + 2 + nth);

/**
 * Every party and meetup, those without answers last: id, kind, provider id, title, start, end (milliseconds), local date, zone,
 * template id, capacity, created.
 */
export function* partyRows(size: WorldSize, now: Instant): Generator<Row> {
  const row = (event: number, id: string, provider: number, ahead: number, isOpen: boolean): Row => {
    const zone = zoneOf(cityOf(size, provider));
    const date = addDays(todayIn(zone, now), ahead);
    const { startsAt, endsAt } = eventInstants({ date, start: '18:00', end: '22:00', zone });
    const isParty = isOpen || event % 2 === 0;
    const template =
      isParty && !isOpen && event % 5 === 4 && templatesOf(provider) > 0 ? templateId(provider, 0) : null;
    const title = `${isParty ? 'Garden party' : 'Book club'} ${event + 1}`;
    const capacity = isParty && !isOpen && event % 3 === 2 ? 1_000 : null;
    const kind = isParty ? 'party' : 'meetup';
    return [id, kind, providerId(provider), title, startsAt, endsAt, date, zone, template, capacity, now - 40 * day];
  };
  const others = size.providers - 1;
  for (let event = 0; event < eventCount(size); event += 1) {
    const isRich = event < richEvents;
    const provider = isRich ? 0 : 1 + ((event * 37) % others);
    yield row(event, idOf('party', event), provider, isRich ? 1 + event : ((event * 13) % 120) - 30, false);
  }
  for (let nth = 0; nth < size.openParties; nth += 1) {
    yield row(eventCount(size) + nth, openPartyId(size, nth), 1 + (nth % others), 30 + (nth % 60), true);
  }
}

/**
 * Every invitation, of accounts that answered a party and of names of a meetup: id, party id, account id, username, name, its sort
 * key, invitee, accepted (0, 1, null), answered, created.
 */
export function* invitationRows(size: WorldSize, now: Instant): Generator<Row> {
  const events = eventCount(size);
  const consumers = size.accounts - size.providers - 1;
  const written = now - 30 * day;
  for (let event = 0; event < events; event += 1) {
    const isParty = event % 2 === 0;
    const many = Math.floor(size.invitations / events) + (event < size.invitations % events ? 1 : 0);
    for (let nth = 0; nth < many; nth += 1) {
      const consumer = nth === 0 && event < richEvents ? 0 : 1 + ((event * perEvent + nth) % consumers);
      const name = isParty ? personName(consumer) : `${personName(nth)} ${nth + 1}`;
      const account = isParty ? consumerId(size, consumer) : null;
      const username = isParty ? consumerName(consumer) : null;
      // Three of five come, one does not, and one name of a meetup has not answered yet.
      const accepted = nth % 5 === 3 ? 0 : nth % 5 === 4 && !isParty ? null : 1;
      const answered = accepted === null ? null : written + nth * 60_000;
      const id = idOf('invitation', event * 1_000 + nth);
      const invitee = account ?? fold(name);
      yield [id, idOf('party', event), account, username, name, sortKey(name), invitee, accepted, answered, written];
    }
  }
}
