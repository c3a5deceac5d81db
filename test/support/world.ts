import { beforeAll } from 'vitest';
import { type Person, registerConsumer, registerProvider } from './factories';
import { newGuest } from './guests';
import type { Visitor } from './visit';

type Door = { visitor: () => Visitor };
type Register = (daybook: Door, details: object) => Promise<Person>;

const provider =
  (usual: object): Register =>
  (daybook, details) =>
    registerProvider(daybook, { ...usual, ...details });
const consumer =
  (usual: object): Register =>
  (daybook, details) =>
    registerConsumer(daybook, { ...usual, ...details });

/** The people whom tests know by name. */
const people = {
  karla: provider({ displayName: 'Karla' }), // a barber
  ana: provider({ displayName: 'Ana Costa' }),
  asha: provider({ displayName: 'Asha', location: 'Bengaluru' }), // teaches yoga
  diallo: provider({ displayName: 'Dr. Diallo', location: 'Dakar' }),
  host: provider({ displayName: 'Hanna Host' }), // gives parties and meetups
  rival: provider({ displayName: 'Rita Rival' }), // nothing of the others is hers
  maya: consumer({ displayName: 'Maya Lindqvist' }),
  june: consumer({ displayName: 'June Okafor' }),
  tomas: consumer({ displayName: 'Tomas Reis' }),
  gus: (daybook: Door, details: object) => newGuest(daybook, { displayName: 'Gus', ...details }),
};

type Name = keyof typeof people;

/**
 * Registers people of the world before the tests of a file. They read UTC unless their details say otherwise; like a server's, their
 * properties can be read inside tests and hooks only.
 */
export function useWorld<Chosen extends Name>(daybook: Door, chosen: Record<Chosen, object>): Record<Chosen, Person> {
  const names = Object.keys(chosen) as Chosen[];
  const world = Object.fromEntries(names.map((name) => [name, {}])) as Record<Chosen, Person>;
  beforeAll(async () => {
    await Promise.all(names.map(async (name) => Object.assign(world[name], await people[name](daybook, chosen[name]))));
  });
  return world;
}
