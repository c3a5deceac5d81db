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
  private readonly known: Record<Kind, string[]>;

  constructor({ open, booked, past, template, party, meetup, link, rsvp, person }: RouteWorld) {
    const [key, other] = [link, rsvp].map((path) => path.split('/').at(-1) ?? '') as [string, string];
    const [ada, ben] = [linkOf(meetup, 'Ada').id, linkOf(meetup, 'Ben').id];
    this.known = {
      ...{
        slot: [open.id, booked.id, past],
        open: [open.id],
        booked: [booked.id],
        session: ['none'],
        person: [person],
      },
      ...{ template: [template], party: [party.id], meetup: [meetup.id], invitation: [ada, ben], key: [key, other] },
    };
  }

  private add(kind: Kind, id: string): void {
    if (!this.known[kind].includes(id)) this.known[kind] = [...this.known[kind], id].slice(-most);
  }

  /** An id of a kind; seldom of another. */
  any(chance: Chance, kind: Kind): string {
    return chance.of(chance.is(0.05) ? chance.of(Object.values(this.known)) : this.known[kind]);
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
