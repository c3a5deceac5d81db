import type { RouteWorld } from '../support/every-route';
import { linkOf } from '../support/party-factories';
import type { Chance } from './chance';

/** An `open` or `booked` slot was so when it was seen last. */
export type Kind =
  | 'slot'
  | 'open'
  | 'booked'
  | 'template'
  | 'party'
  | 'meetup'
  | 'invitation'
  | 'key'
  | 'session'
  | 'person';

/** The newest ids of a kind are remembered. */
const most = 60;

/** All ids seen so far, anybody's: only somebody who knows the id of a thing can try to reach it. */
export class Things {
  private readonly known = new Map<Kind, string[]>();

  constructor({ open, booked, past, template, party, meetup, link, answer, person }: RouteWorld) {
    for (const slot of [open.id, booked.id, past]) this.add('slot', slot);
    this.add('person', person);
    this.add('open', open.id);
    this.add('booked', booked.id);
    this.add('template', template);
    this.add('party', party.id);
    this.add('meetup', meetup.id);
    for (const name of ['Ada', 'Ben']) this.add('invitation', linkOf(meetup, name).id);
    for (const path of [link, answer]) this.add('key', path.split('/').at(-1) ?? '');
    this.add('session', 'none');
  }

  private add(kind: Kind, id: string): void {
    const ids = this.known.get(kind) ?? [];
    if (!ids.includes(id)) ids.push(id);
    this.known.set(kind, ids.slice(-most));
  }

  /** An id of a kind; seldom of another. */
  any(chance: Chance, kind: Kind): string {
    const of = chance.is(0.05) ? chance.of([...this.known.keys()]) : kind;
    return chance.of(this.known.get(of) ?? ['none']);
  }

  /** Remembers the ids in a response of the API. */
  learn(json: unknown): void {
    if (Array.isArray(json)) for (const one of json.slice(0, 5)) this.learn(one);
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return;
    const row = json as Record<string, unknown>;
    const { id, link } = row;
    if (typeof id === 'string') {
      if ('startsAt' in row && 'status' in row)
        this.add(row.status === 0 ? 'open' : row.status === 1 ? 'booked' : 'slot', id);
      else if ('invitations' in row) this.add(row.meetupId ? 'meetup' : 'party', id);
      else if ('accepted' in row) this.add('invitation', id);
      else if ('missed' in row) this.add('person', id);
      else if ('device' in row) this.add('session', id);
      else if ('displayName' in row) this.add('template', id);
    }
    if (typeof link === 'string' && link.startsWith('/booking/')) this.add('key', link.split('/').at(-1) ?? '');
    for (const name of ['template', 'invitations'] as const) this.learn(row[name]);
  }
}
