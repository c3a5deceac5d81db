import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { carryHours } from '../../../app/domain/hours/carrying.server';
import type { HoursInput } from '../../../app/domain/hours/hours';
import { findHours, previewHours, setHours } from '../../../app/domain/hours/hours.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import type { Service } from '../../../app/domain/services/services';
import { createService, deleteService, editService } from '../../../app/domain/services/services.server';
import { createTemplate } from '../../../app/domain/templates/templates.server';
import { day, hour, minute } from '../../../app/domain/time/clock';
import type { Db } from '../../../db/client';
import { forgetAll, join, newDb, start, stored } from '../../support/history';

/* Hours that are for a service, or have ranges that are, and the job that carries them on. */

let db: Db;
let host: Actor;
beforeEach(async () => {
  await forgetAll();
  db = newDb();
  host = await join(db, { username: 'host', displayName: 'H', timeZone: 'UTC', role: 'Provider', location: 'Lisbon' });
});

const everyDay = (from: string, end: string, serviceId?: string) =>
  Array.from({ length: 7 }, (_, day) => ({ day, start: from, end, serviceId }));
const hours = (details: Partial<HoursInput> = {}): HoursInput => ({
  hours: everyDay('12:00', '14:00'),
  except: [],
  len: null,
  gap: null,
  ahead: 1,
  notes: null,
  templateId: null,
  ...details,
});
const set = (details?: Partial<HoursInput>, now = start) => setHours(db, host, hours(details), now);
const make = (details: Partial<Service> = {}) =>
  createService(
    db,
    host,
    {
      name: `Service ${crypto.randomUUID()}`,
      minutes: 30,
      gap: 0,
      price: null,
      description: null,
      seats: 1,
      templateId: null,
      isOffered: true,
      ...details,
    },
    { now: start, key: crypto.randomUUID() },
  );

type Slot = {
  starts_at: number;
  ends_at: number;
  seats: number;
  service_id: string | null;
  template_id: string | null;
};
const slots = () => stored<Slot>('SELECT * FROM slots WHERE state = 0 ORDER BY starts_at');
/** The slots of the last day that there are some of, with their lengths in minutes and what they are for. */
const lastDay = async () => {
  const all = await slots();
  const last = Math.floor((all.at(-1)?.starts_at ?? 0) / day);
  return all
    .filter(({ starts_at }) => Math.floor(starts_at / day) === last)
    .map(({ starts_at, ends_at, seats, service_id }) => [
      new Date(starts_at).toISOString().slice(11, 16),
      (ends_at - starts_at) / minute,
      seats,
      service_id,
    ]);
};

const bookSeat = `INSERT INTO bookings (provider_id, starts_at, id, ends_at, kept_until, local_date, time_zone, city, slot_id, status,
    booker_id, person_id, service_id, booked_at)
  SELECT provider_id, starts_at, provider_id || printf('%013d', starts_at) || lower(hex(randomblob(6))), ends_at, ends_at, local_date,
    time_zone, city, id, 1, ?2, ?2, service_id, 1
  FROM slots WHERE starts_at = ?1`;
const leaveSeat = "UPDATE bookings SET status = 2, canceled_by = 'consumer', canceled_at = ?";

describe('hours for services', () => {
  test('are cut by the length and gap of the service, with its seats and questions', async () => {
    const questions = [{ questionText: 'Why?', questionType: 2 as const, options: null, required: false }];
    const { id: templateId } = await createTemplate(
      db,
      host,
      { displayName: 'T', questions },
      { now: start, key: 'template' },
    );
    const yoga = await make({ minutes: 45, gap: 15, seats: 8, templateId });
    await set({ serviceId: yoga.id });
    expect(await lastDay()).toEqual([
      ['12:00', 45, 8, yoga.id],
      ['13:00', 45, 8, yoga.id],
    ]);
    expect((await slots()).every(({ template_id }) => template_id === templateId)).toBe(true);
    expect(await findHours(db, host)).toMatchObject({ serviceId: yoga.id, len: 45, gap: 15 });
    const before = await slots();
    expect(await set({ serviceId: yoga.id })).toEqual({ created: 0, withdrawn: 0 });
    expect(await slots()).toEqual(before);
  });

  test('have ranges of their own for a class, beside free time and on other dates', async () => {
    const yoga = await make({ minutes: 60, seats: 8 });
    const ranges = [...everyDay('09:00', '10:00'), ...everyDay('18:00', '19:00', yoga.id)];
    await set({ hours: ranges, len: 30 });
    expect(await lastDay()).toEqual([
      ['09:00', 30, 1, null],
      ['09:30', 30, 1, null],
      ['18:00', 60, 8, yoga.id],
    ]);
    const except = [
      { date: '2030-01-01', to: '2040-01-01', hours: [{ start: '07:00', end: '09:00', serviceId: yoga.id }] },
    ];
    await set({ hours: ranges, len: 30, except });
    expect((await lastDay()).every(([, length, seats]) => length === 60 && seats === 8)).toBe(true);
  });

  test('take free time for a service, and back, where nobody has booked it', async () => {
    const cut = await make();
    await set({ len: 30 });
    const preview = await previewHours(db, host, hours({ serviceId: cut.id }), start);
    const changed = await set({ serviceId: cut.id });
    expect(changed).toEqual({ created: preview.created, withdrawn: preview.withdrawn });
    expect(changed.created).toBe(changed.withdrawn);
    expect((await slots()).every(({ service_id }) => service_id === cut.id)).toBe(true);
    await set({ len: 30 });
    expect((await slots()).every(({ service_id }) => service_id === null)).toBe(true);
  });

  test('refuse another length or gap, and a service that there is not', async () => {
    const cut = await make({ minutes: 40, gap: 5 });
    await expect(set({ serviceId: cut.id, len: 30, gap: 10 })).rejects.toMatchObject({
      code: 'invalid',
      faults: [{ field: 'len' }, { field: 'gap' }],
    });
    await expect(set({ serviceId: 'none' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(set({ hours: everyDay('09:00', '10:00', 'none') })).rejects.toMatchObject({ code: 'not_found' });
    expect(await slots()).toEqual([]);
  });

  test('keep a service from being deleted, and let it go with them', async () => {
    const cut = await make();
    await set({ hours: everyDay('09:00', '09:10', cut.id) });
    expect(await slots()).toEqual([]);
    await expect(deleteService(db, host, cut.id, start)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Your hours are for this service. Change them first, or switch the service off.',
    });
    await set({ hours: [] });
    await deleteService(db, host, cut.id, start);
  });

  test('keep a class that people come to and hours want no longer', async () => {
    const yoga = await make({ minutes: 60, seats: 8 });
    const guest = await join(db, { username: 'guest', displayName: 'G', timeZone: 'UTC', role: 'Consumer' });
    await set({ serviceId: yoga.id });
    const [first] = await slots();
    await env.DB.prepare(bookSeat).bind(first?.starts_at, guest.accountId).run();
    const before = await slots();
    const [taken] = before;
    expect(await set({ hours: [] })).toEqual({ created: 0, withdrawn: before.length - 1 });
    expect(await slots()).toEqual([{ ...taken, made_by: 2 }]);
    await env.DB.prepare(leaveSeat).bind(start).run();
    await carryHours(db, start + 1);
    expect(await slots()).toEqual([]);
  });
});

describe('the job', () => {
  test('publishes the next day of a service, and follows its new length and seats', async () => {
    const yoga = await make({ minutes: 60, seats: 8 });
    await set({ serviceId: yoga.id });
    const before = await slots();
    await carryHours(db, start + day);
    expect((await slots()).length).toBe(before.length + 2);
    expect((await lastDay()).map(([time]) => time)).toEqual(['12:00', '13:00']);
    await editService(db, host, { id: yoga.id, change: { minutes: 120, seats: 5 } }, start + day + hour);
    await carryHours(db, start + day + hour);
    expect(await lastDay()).toEqual([['12:00', 120, 5, yoga.id]]);
  });
});
