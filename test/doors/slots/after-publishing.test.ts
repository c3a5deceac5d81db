import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { bookFor, idsOf, openSlotsOf } from '../../support/appointment-calls';
import { complaints, nothing } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  peopleAt,
  publish,
  type Row,
  rowsOf,
  several,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { publishQuestions } from '../../support/party-factories';
import { everyDay } from '../../support/plain-hours';
import { bookSeries } from '../../support/series';
import { createService } from '../../support/services';
import { bookWith, deleteTemplate, openEnded, publishAsking } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';

/*
 * Notes and questions of open slots, changed after they were published. A provider who cancels or moves a booking can publish its
 * time again; who books for somebody can type their answers.
 */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya, rival } = useWorld(daybook, { maya: {}, rival: {} });

type Id = { id: string };
const ask = (who: Person, questionText: string) =>
  publishQuestions(who, [{ questionText, questionType: openEnded, required: true }]);
const rowOf = async (who: Person, slot: Id) => (await look(who, slot)).json as Row;

describe('notes and questions of open slots', () => {
  const change = (who: Person, { id }: Id, body: object, scope = 'slot') =>
    who.api('PUT', `/api/Appointment/ChangeOpen?id=${id}&for=${scope}`, body);
  const notesOf = (who: Person, rows: Row[]) => Promise.all(rows.map(async (row) => (await rowOf(who, row)).notes));
  const formOf = 'form:has([name=intent][value=change])';

  test('are changed for one, for its day, or for all that was published with it, and never of what is booked', async () => {
    const ana = await newProvider();
    const templateId = await ask(ana, 'Why?');
    const dates = [dayAhead(1), dayAhead(2)];
    const rows = (await publish(ana, { end: '10:30', dates, notes: 'First' })) as [Row, Row, Row];
    await publish(ana, { start: '12:00', end: '12:30', notes: 'Other' });
    await book(maya, rows[1]);
    expect(await change(ana, rows[0], { notes: 'One' })).toMatchObject({ status: 200, json: { changed: 1 } });
    expect(await notesOf(ana, rows)).toEqual(['One', ...Array(5).fill('First')]);
    expect((await change(ana, rows[0], { notes: 'Day', templateId }, 'day')).json).toEqual({ changed: 3 });
    expect(await notesOf(ana, rows)).toEqual(['Day', 'First', 'Day', 'First', 'First', 'First']);
    expect((await rowOf(ana, rows[2])).template).toBe(templateId);
    expect((await change(ana, rows[0], { notes: '', templateId }, 'publication')).json).toEqual({ changed: 5 });
    expect(await notesOf(ana, rows)).toEqual([null, 'First', null, null, null, null]);
    expect(await rowOf(maya, rows[1])).toMatchObject({ status: 1, notes: 'First', template: null });
  });

  test('are changed by a form on the page of an open slot, which shows what they are', async () => {
    const ana = await newProvider();
    const [one, two] = (await publish(ana, { end: '10:00', notes: 'First' })) as [Row, Row];
    const template = await ask(ana, 'Why?');
    const page = await ana.browser.visit(`/details-provider/${one.id}`);
    expect(page.$(`${formOf} textarea`)?.text).toBe('First');
    const typed = { notes: 'Ring twice', templateId: template, for: 'day' };
    for (const done of await Promise.all([page.submit(formOf, typed), page.submit(formOf, typed)]))
      expect(done.words).toContain('2 free times have these notes and questions now.');
    expect(await rowOf(ana, two)).toMatchObject({ notes: 'Ring twice', template });
    await book(maya, two);
    expect((await ana.browser.visit(`/details-provider/${two.id}`)).$(formOf)).toBeNull();
  });

  test('may keep asking what was deleted since, and get no questions of another provider or none there is', async () => {
    const ana = await newProvider();
    const [template, theirs] = [await ask(ana, 'Why?'), await ask(rival, 'How?')];
    const slot = await publishAsking(ana, template);
    await deleteTemplate(ana, template);
    const typed = { intent: 'change', templateId: theirs, notes: 'Kept' };
    const page = await ana.browser.post(`/details-provider/${slot.id}`, typed);
    expect([page.status, page.$(`${formOf} textarea`)?.text]).toEqual([404, 'Kept']);
    for (const templateId of [template, null])
      expect((await change(ana, slot, { notes: 'New', templateId })).status).toBe(200);
    for (const templateId of [template, theirs, 'none'])
      expect(await change(ana, slot, { notes: 'No', templateId })).toMatchObject(nothing);
    expect(await rowOf(ana, slot)).toMatchObject({ notes: 'New', template: null });
  });

  test('of a time that is booked at that moment change before the booking or not at all', async () => {
    const ana = await newProvider();
    const [asked, changed] = [await ask(ana, 'Why?'), await ask(ana, 'Since when?')];
    const days = await several(3, (day) =>
      publish(ana, { start: '08:00', end: '16:30', dates: [dayAhead(day + 3)] }, `templateId=${asked}`),
    );
    const seen = { booked: 0, changed: 0 };
    for (const [place, slot] of days.flat().slice(0, 50).entries()) {
      const booking = async () => {
        if (place % 2) await sleep(place % 5);
        return bookWith(maya, slot, [{ question: 'Why?', answer: 'My back' }]);
      };
      const changing = async () => {
        if (!(place % 2)) await sleep(place % 13);
        return change(ana, slot, { notes: 'New', templateId: changed });
      };
      const [booked, made] = await Promise.all([booking(), changing()]);
      expect([200, 400, 409]).toContain(booked.status);
      const { status, template, notes, formData } = await rowOf(ana, slot);
      // Whoever has booked has answered what the appointment asks; else the answers fit no question, and the time is free.
      const isBooked = booked.status === 200;
      const stands = isBooked ? [409, 1, asked, null, 1] : [200, 0, changed, 'New', 0];
      expect([made.status, status, template, notes, formData.length]).toEqual(stands);
      seen[isBooked ? 'booked' : 'changed'] += 1;
    }
    expect(Math.min(seen.booked, seen.changed)).toBeGreaterThan(4);
  });

  test('are nobody else’s to change, nor are those of what is booked, withdrawn or has begun', async () => {
    const ana = await newProvider();
    const [one, booked, gone] = (await publish(ana, { end: '10:30' })) as [Row, Row, Row];
    expect((await change(rival, one, { notes: 'Mine' })).status).toBe(404);
    await book(maya, booked);
    await cancel(ana, gone);
    const begun = await writeSlot(daybook.d1, ana, { startsIn: -5 });
    for (const slot of [booked, gone, begun]) expect((await change(ana, slot, { notes: 'Late' })).status).toBe(409);
    expect((await change(ana, booked, { notes: 'Day' }, 'day')).json).toEqual({ changed: 1 });
    expect(await rowOf(ana, booked)).toMatchObject({ notes: null });
    expect(complaints(await change(ana, one, { notes: 'x'.repeat(1001) }, 'week'))).toHaveLength(2);
  });

  test('that change while somebody fills in the form are asked anew, and nothing is booked meanwhile', async () => {
    const ana = await newProvider();
    const [before, after] = [await ask(ana, 'Why?'), await ask(ana, 'How?')];
    const slot = await publishAsking(ana, before);
    const form = await maya.browser.visit(`/details/${slot.id}?step=questions`);
    const field = form.$('main textarea[name]')?.getAttribute('name') ?? '';
    expect((await change(ana, slot, { templateId: after })).json).toEqual({ changed: 1 });
    const refused = await form.submit('main form', { [field]: 'Because' });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('How?')]);
    const guest = await newGuest(daybook);
    expect((await bookWith(guest, slot, [{ question: 'Why?', answer: 'So' }])).status).toBe(400);
    expect((await rowOf(ana, slot)).status).toBe(0);
  });
});

const openOf = (host: Person) => openSlotsOf(maya, host, { dates: dayAhead(1) });

/** A provider with two slots of tomorrow, by hand or by hours; Maya has booked that at nine. */
async function booked(notes: string | null = null, isByHours = false) {
  const karla = await newProvider();
  if (isByHours) await setHours(karla);
  else await publish(karla, { end: '10:00', notes });
  const [slot, free] = (await openOf(karla)) as [Row, Row];
  return { karla, row: (await book(maya, slot)).json as Row, free };
}
const setHours = (who: Person, details: object = {}) =>
  who.api('PUT', '/api/Appointment/SetHours', { hours: everyDay('09:00', '10:00'), ahead: 2, ...details });

describe('the time of what a provider cancels or moves', () => {
  test('is published again under a new id, if they say so, and once', async () => {
    const [canceled, moved] = [await booked('Ring twice'), await booked('Ring twice')];
    for (const [{ karla, row }, call, answer, left] of [
      [canceled, `Cancel?id=${canceled.row.id}`, { id: canceled.row.id, status: 2 }, [canceled.free.id]],
      [moved, `Move?id=${moved.row.id}&to=${moved.free.id}`, { id: moved.free.id, movedFrom: moved.row.id }, []],
    ] as const) {
      const send = () => karla.api('PUT', `/api/Appointment/${call}&republish=true`);
      expect(await send()).toMatchObject({ status: 200, json: answer });
      await send();
      const [again, ...others] = await openOf(karla);
      expect(again).toMatchObject({ startsAt: row.startsAt, endsAt: row.endsAt, notes: 'Ring twice', status: 0 });
      expect([again?.id === row.id, idsOf(others)]).toEqual([false, left]);
      expect(await rowOf(maya, row)).toMatchObject({ status: 2, canceledBy: 'provider' });
      expect((await book(await newConsumer(), again as Row)).status).toBe(200);
    }
  });

  test.each<[string, (row: Row, free: Row) => string]>([
    ['Cancel', ({ id }) => `Cancel?id=${id}`],
    ['Move', ({ id }, free) => `Move?id=${id}&to=${free.id}`],
  ])('is published again by hand, where hours want it no longer: %s', async (_, call) => {
    const { karla, row, free } = await booked(null, true);
    await setHours(karla, { except: [{ date: row.date, hours: [] }] });
    const [later = free] = await openSlotsOf(maya, karla, { dates: dayAhead(2) });

    const answer = await karla.api('PUT', `/api/Appointment/${call(row, later)}&republish=true`);

    expect(answer.status).toBe(200);
    const startsOf = async () => (await openOf(karla)).map(({ startsAt }) => startsAt);
    expect(await startsOf()).toContain(row.startsAt);
    await setHours(karla, { except: [{ date: row.date, hours: [] }], notes: 'Ring twice' });
    expect(await startsOf()).toContain(row.startsAt);
  });

  test('is published again with what follows in its series, where hours want none of it', async () => {
    const karla = await newProvider();
    await setHours(karla, { hours: everyDay('09:00', '09:30') });
    const ids = idsOf((await openSlotsOf(maya, karla)).slice(0, 2));
    const answer = await bookSeries(maya, ids);
    expect(answer).toMatchObject({ status: 201 });
    const booked = rowsOf(answer);
    const starts = booked.map(({ startsAt }) => startsAt);
    await setHours(karla, { hours: [] });

    await karla.api('PUT', `/api/Appointment/Cancel?id=${booked[0]?.id}&republish=true&following=true`);

    expect((await openSlotsOf(maya, karla)).map(({ startsAt }) => startsAt)).toEqual(starts);
  });

  test('is offered by a tick on the screens, which is on where hours want the time', async () => {
    const tickOf = async (who: Person, path: string) => (await who.browser.get(path)).$('[name=republish]');
    const byHours = await booked(null, true);
    for (const [{ karla, row, free }, isOn] of [
      [byHours, true],
      [await booked(), false],
    ] as const) {
      for (const path of [`/details-provider/${row.id}`, `/move/${row.id}/${free.id}`])
        expect((await tickOf(karla, path))?.hasAttribute('checked')).toBe(isOn);
      expect(await tickOf(maya, `/details-cancel/${row.id}`)).toBeNull();
    }
    await setHours(byHours.karla, { except: [{ date: dayAhead(1) }] });
    const tick = await tickOf(byHours.karla, `/details-provider/${byHours.row.id}`);
    expect(tick?.hasAttribute('checked')).toBe(false);
  });

  describe('that took two slots of the hours', () => {
    /** Three hours cut at half an hour, and a booking of 45 minutes that begins them. */
    async function longBooking() {
      const karla = await newProvider();
      const service = await createService(karla, { minutes: 45 });
      await setHours(karla, { hours: everyDay('09:00', '12:00') });
      const [first, second, , later] = (await openOf(karla)) as [Row, Row, Row, Row];
      const answer = await maya.api('PUT', `/api/Appointment/Book?id=${first.id}&service=${service.id}`);
      expect(answer.status).toBe(200);
      return { karla, row: answer.json as Row, taken: [first, second], later };
    }
    const firstHour = async (who: Person) =>
      (await openOf(who)).filter(({ date, startTime }) => date === dayAhead(1) && startTime < '10:00');

    test.each(['Cancel', 'Move'])('is published again in both, under new ids: %s', async (call) => {
      const { karla, row, taken, later } = await longBooking();

      const answer = await karla.api('PUT', `/api/Appointment/${call}?id=${row.id}&to=${later.id}&republish=true`);

      expect(answer.status).toBe(200);
      const again = await firstHour(karla);
      expect(again.map(({ startTime, endTime }) => `${startTime} to ${endTime}`)).toEqual([
        '09:00 to 09:30',
        '09:30 to 10:00',
      ]);
      expect(idsOf(again).filter((id) => idsOf(taken).includes(id))).toEqual([]);
    });

    test.each<[string, (row: Row, later: Row) => string]>([
      ['cancels', ({ id }) => `/details-provider/${id}`],
      ['moves', ({ id }, later) => `/move/${id}/${later.id}`],
    ])('is published again by the form that %s it, sent as it is shown', async (_, pathOf) => {
      const { karla, row, later } = await longBooking();
      const page = await karla.browser.get(pathOf(row, later));

      await page.submit('form:has([name=republish])');

      expect((await look(karla, row)).json).toMatchObject({ status: 2 });
      expect(await firstHour(karla)).toHaveLength(2);
    });

    test('is offered by a tick that is on as long as hours want a part of it', async () => {
      const { karla, row } = await longBooking();
      const isOn = async () =>
        (await karla.browser.get(`/details-provider/${row.id}`)).$('[name=republish]')?.hasAttribute('checked');

      await setHours(karla, { hours: everyDay('09:30', '12:00') });
      expect(await isOn()).toBe(true);

      await setHours(karla, { hours: everyDay('10:00', '12:00') });
      expect(await isOn()).toBe(false);
    });
  });
});

test('the answers of somebody who calls come with BookFor, by the rules of answers, or are owed', async () => {
  const karla = await newProvider();
  const template = await ask(karla, 'Why?');
  const [slot, owing] = (await publish(karla, { end: '10:00' }, `templateId=${template}`)) as [Row, Row];
  const send = (who: Person, formData: object[]) => bookFor(who, slot, { displayName: 'Wanda', formData });
  expect(complaints(await send(karla, [{ question: 'Who?', answer: 'I' }]))).toHaveLength(2);
  const right = [{ question: 'WHY?', answer: 'Pain' }];
  expect(await send(rival, right)).toMatchObject(nothing);
  expect(await rowOf(karla, slot)).toMatchObject({ status: 0 });
  const formData = [{ question: 'Why?', answer: 'Pain' }];
  expect(await send(karla, right)).toMatchObject({ status: 201, json: { bookerName: 'Wanda', formData } });
  expect((await send(karla, right)).status).toBe(409);
  const owed = await bookFor(karla, owing, { displayName: 'Wanda' });
  expect(owed).toMatchObject({ status: 201, json: { formData: [] } });
});
