import { test as bare } from 'vitest';
import { type Person, registerConsumer, registerProvider } from './factories';
import { newGuest } from './guests';
import type { Visitor } from './visit';

type Door = { visitor: () => Visitor };

const perFile = { scope: 'file' } as const;

/**
 * A `test` with the people that tests know by name, each registered by the first test that asks for them:
 * `test('…', async ({ karla, maya }) => …)`. They stay for the whole file. `host` and `client` are new in each test, for what
 * would be in another one's way. Everybody reads UTC. A test of many cases takes people with `test.for`.
 */
export const inWorld = (daybook: Door) =>
  bare
    // A barber, a yoga teacher and a doctor.
    .extend('karla', perFile, () => registerProvider(daybook, { displayName: 'Karla' }))
    .extend('asha', perFile, () => registerProvider(daybook, { displayName: 'Asha', location: 'Bengaluru' }))
    .extend('diallo', perFile, () => registerProvider(daybook, { displayName: 'Dr. Diallo', location: 'Dakar' }))
    // Their clients.
    .extend('maya', perFile, () => registerConsumer(daybook, { displayName: 'Maya' }))
    .extend('june', perFile, () => registerConsumer(daybook, { displayName: 'June' }))
    .extend('tomas', perFile, () => registerConsumer(daybook, { displayName: 'Tomas' }))
    .extend('gus', perFile, () => newGuest(daybook, { displayName: 'Gus' }))
    .extend('host', (): Promise<Person> => registerProvider(daybook))
    .extend('client', (): Promise<Person> => registerConsumer(daybook))
    // Somebody without a login.
    .extend('stranger', () => daybook.visitor());
