import { beforeAll } from 'vitest';
import { type Person, registerConsumer, registerProvider } from './factories';
import type { Visitor } from './visit';

type Door = { visitor: () => Visitor };

/** The people whom tests know by name. */
const people = {
  karla: ['Karla', registerProvider], // a barber
  ana: ['Ana Costa', registerProvider], // gives lessons
  host: ['Hanna Host', registerProvider], // has parties and meetups
  rival: ['Rita Rival', registerProvider], // nothing of the others is hers
  maya: ['Maya Lindqvist', registerConsumer],
  june: ['June Okafor', registerConsumer],
} as const;

type Name = keyof typeof people;

/**
 * Registers people of the world before the tests of a file. They read UTC unless their details say otherwise; like a server's, their
 * properties can be read inside tests and hooks only.
 */
export function useWorld<Chosen extends Name>(daybook: Door, chosen: Record<Chosen, object>): Record<Chosen, Person> {
  const names = Object.keys(chosen) as Chosen[];
  const world = Object.fromEntries(names.map((name) => [name, {}])) as Record<Chosen, Person>;
  beforeAll(async () => {
    const register = async (name: Chosen) => {
      const [displayName, registerAs] = people[name];
      Object.assign(world[name], await registerAs(daybook, { displayName, ...chosen[name] }));
    };
    await Promise.all(names.map(register));
  });
  return world;
}
