import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Person } from '../support/factories';
import type { Chance } from './chance';

/** The last hours that were acknowledged, and those sent since: one of these stands. Their notes tell them apart. */
export type HoursKept = { acknowledged: string | null; asked: string[]; many: number };

/** Sets other hours. @throws if the server is gone */
export async function askForHours(host: Person, kept: HoursKept, chance: Chance): Promise<{ status: number }> {
  kept.many += 1;
  const notes = `Hours ${kept.many}`;
  kept.asked.push(notes);
  const end = `${14 + chance.below(8)}:00`;
  const hours = Array.from({ length: 7 }, (_, day) => ({ day, start: '12:00', end })).filter(() => chance.is(0.8));
  const body = { hours, len: chance.of([10, 15, 30]), gap: chance.of([0, 5]), ahead: 20, notes };
  const { status, text } = await host.api('PUT', '/api/Appointment/SetHours', body);
  deepStrictEqual(status, 200, text);
  kept.acknowledged = notes;
  kept.asked = [];
  return { status };
}

/** Checks that acknowledged or later hours stand, and that exactly their slots are published. */
export async function checkHours(host: Person, kept: HoursKept): Promise<void> {
  const set = (await host.api('GET', '/api/Appointment/GetHours')).json as { notes: string } | null;
  const notes = set?.notes ?? null;
  ok([kept.acknowledged, ...kept.asked].includes(notes), `hours are ${notes}, not ${kept.acknowledged}`);
  kept.acknowledged = notes;
  kept.asked = [];
  if (!set) return;
  const { json } = await host.api('PUT', '/api/Appointment/SetHours?preview=true', set);
  deepStrictEqual(json, { created: 0, withdrawn: 0 });
}
