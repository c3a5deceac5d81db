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
  publishOne,
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
const askingFor = (who: Person, questionText: string) =>
  publishQuestions(who, [{ questionText, questionType: openEnded, required: true }]);
const rowOf = async (who: Person, slot: Id) => (await look(who, slot)).json as Row;

describe('notes and questions of open slots', () => {
  const change = (who: Person, { id }: Id, body: object, scope = 'slot') =>
    who.api('PUT', `/api/Appointment/ChangeOpen?id=${id}&for=${scope}`, body);
  const notesOf = (who: Person, rows: Row[]) => Promise.all(rows.map(async (row) => (await rowOf(who, row)).notes));
  const formOfChange = 'form:has([name=intent][value=change])';

  describe('are changed for', () => {
    /** Two days of three slots, published together, of which the second is booked; and one published by itself. */
    async function twoDays() {
      const ana = await newProvider();
      const templateId = await askingFor(ana, 'Why?');
      const dates = [dayAhead(1), dayAhead(2)];
      const rows = (await publish(ana, { end: '10:30', dates, notes: 'First' })) as [Row, Row, Row];
      await publish(ana, { start: '12:00', end: '12:30', notes: 'Other' });
      await book(maya, rows[1]);
      return { ana, rows, templateId };
    }

    test('one alone', async () => {
      const { ana, rows } = await twoDays();

      const response = await change(ana, rows[0], { notes: 'One' });

      expect(response).toMatchObject({ status: 200, json: { changed: 1 } });
      expect(await notesOf(ana, rows)).toEqual(['One', 'First', 'First', 'First', 'First', 'First']);
    });

    test('its whole day', async () => {
      const { ana, rows, templateId } = await twoDays();

      const response = await change(ana, rows[0], { notes: 'Day', templateId }, 'day');

      expect(response.json).toEqual({ changed: 3 });
      expect(await notesOf(ana, rows)).toEqual(['Day', 'First', 'Day', 'First', 'First', 'First']);
      expect((await rowOf(ana, rows[2])).template).toBe(templateId);
    });

    test('all that was published with it', async () => {
      const { ana, rows, templateId } = await twoDays();

      const response = await change(ana, rows[0], { notes: '', templateId }, 'publication');

      expect(response.json).toEqual({ changed: 5 });
      expect(await notesOf(ana, rows)).toEqual([null, 'First', null, null, null, null]);
    });

    test.each(['day', 'publication'])('a %s without what is booked of it', async (scope) => {
      const { ana, rows, templateId } = await twoDays();

      await change(ana, rows[0], { notes: '', templateId }, scope);

      expect(await rowOf(maya, rows[1])).toMatchObject({ status: 1, notes: 'First', template: null });
    });
  });

  describe('on the page of an open slot', () => {
    async function twoSlots() {
      const ana = await newProvider();
      const [one, two] = (await publish(ana, { end: '10:00', notes: 'First' })) as [Row, Row];
      const template = await askingFor(ana, 'Why?');
      const page = await ana.browser.visit(`/details-provider/${one.id}`);
      const typed = { notes: 'Ring twice', templateId: template, for: 'day' };
      return { ana, two, template, page, send: () => page.submit(formOfChange, typed) };
    }

    test('are shown as they are', async () => {
      const { page } = await twoSlots();

      expect(page.$(`${formOfChange} textarea`)?.text).toBe('First');
    });

    test('are changed by a form', async () => {
      const { ana, two, template, send } = await twoSlots();

      const changed = await send();

      expect(changed.words).toContain('2 free times have these notes and questions now.');
      expect(await rowOf(ana, two)).toMatchObject({ notes: 'Ring twice', template });
    });

    test('are changed alike by a form that is sent twice at once', async () => {
      const { ana, two, template, send } = await twoSlots();

      const [changed, again] = await Promise.all([send(), send()]);

      expect(changed.words).toContain('2 free times have these notes and questions now.');
      expect(again.words).toContain('2 free times have these notes and questions now.');
      expect(await rowOf(ana, two)).toMatchObject({ notes: 'Ring twice', template });
    });

    test('can’t be changed once it is booked', async () => {
      const { ana, two } = await twoSlots();
      await book(maya, two);

      const page = await ana.browser.visit(`/details-provider/${two.id}`);

      expect(page.$(formOfChange)).toBeNull();
    });
  });

  describe('that were deleted since, or are somebody else’s,', () => {
    /** A slot that asks what its provider has deleted, and questions of another provider. */
    async function askingWhatIsDeleted() {
      const ana = await newProvider();
      const [deleted, theirs] = [await askingFor(ana, 'Why?'), await askingFor(rival, 'How?')];
      const slot = await publishAsking(ana, deleted);
      await deleteTemplate(ana, deleted);
      return { ana, deleted, theirs, slot };
    }

    test('may be asked on', async () => {
      const { ana, deleted, slot } = await askingWhatIsDeleted();

      const response = await change(ana, slot, { notes: 'New', templateId: deleted });

      expect(response.status).toBe(200);
      expect(await rowOf(ana, slot)).toMatchObject({ notes: 'New', template: deleted });
    });

    test('may be asked no longer', async () => {
      const { ana, slot } = await askingWhatIsDeleted();

      const response = await change(ana, slot, { notes: 'New', templateId: null });

      expect(response.status).toBe(200);
      expect(await rowOf(ana, slot)).toMatchObject({ notes: 'New', template: null });
    });

    test.each(['its own that are deleted', 'those of another provider', 'none that exist'])(
      'can’t be asked anew: %s',
      async (which) => {
        const { ana, deleted, theirs, slot } = await askingWhatIsDeleted();
        await change(ana, slot, { notes: 'New', templateId: null });
        const asked = { 'its own that are deleted': deleted, 'those of another provider': theirs }[which] ?? 'none';

        expect(await change(ana, slot, { notes: 'No', templateId: asked })).toMatchObject(nothing);
        expect(await rowOf(ana, slot)).toMatchObject({ notes: 'New', template: null });
      },
    );

    test('are refused by the form, which keeps what was typed', async () => {
      const { ana, theirs, slot } = await askingWhatIsDeleted();

      const typed = { intent: 'change', templateId: theirs, notes: 'Kept' };
      const page = await ana.browser.post(`/details-provider/${slot.id}`, typed);

      expect(page.status).toBe(404);
      expect(page.$(`${formOfChange} textarea`)?.text).toBe('Kept');
    });
  });

  test('of a time that is booked at that moment are changed before the booking or not at all', async () => {
    const ana = await newProvider();
    const [asked, changed] = [await askingFor(ana, 'Why?'), await askingFor(ana, 'Since when?')];
    const days = await several(3, (day) =>
      publish(ana, { start: '08:00', end: '16:30', dates: [dayAhead(day + 3)] }, `templateId=${asked}`),
    );
    const rounds = { booked: 0, changed: 0 };
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
      expect(made.status).toBe(isBooked ? 409 : 200);
      const asBooked = { status: 1, template: asked, notes: null, answers: 1 };
      const asChanged = { status: 0, template: changed, notes: 'New', answers: 0 };
      expect({ status, template, notes, answers: formData.length }).toEqual(isBooked ? asBooked : asChanged);
      rounds[isBooked ? 'booked' : 'changed'] += 1;
    }
    expect(Math.min(rounds.booked, rounds.changed)).toBeGreaterThan(4);
  });

  describe('can’t be changed', () => {
    test('by another provider', async () => {
      const slot = await publishOne(await newProvider());

      expect((await change(rival, slot, { notes: 'Mine' })).status).toBe(404);
    });

    test('once the time is booked', async () => {
      const ana = await newProvider();
      const booked = await publishOne(ana);
      await book(maya, booked);

      expect((await change(ana, booked, { notes: 'Late' })).status).toBe(409);
      expect(await rowOf(ana, booked)).toMatchObject({ notes: null });
    });

    test('once the time is withdrawn', async () => {
      const ana = await newProvider();
      const gone = await publishOne(ana);
      await cancel(ana, gone);

      expect((await change(ana, gone, { notes: 'Late' })).status).toBe(409);
    });

    test('once the time has begun', async () => {
      const ana = await newProvider();
      const begun = await writeSlot(daybook.d1, ana, { startsIn: -5 });

      expect((await change(ana, begun, { notes: 'Late' })).status).toBe(409);
    });

    test('to too long a text for a scope that does not exist, with both said', async () => {
      const ana = await newProvider();
      const slot = await publishOne(ana);

      expect(complaints(await change(ana, slot, { notes: 'x'.repeat(1001) }, 'week'))).toHaveLength(2);
    });
  });

  test('are changed for the open times of a day by way of one that is booked', async () => {
    const ana = await newProvider();
    const [open, booked, gone] = (await publish(ana, { end: '10:30' })) as [Row, Row, Row];
    await book(maya, booked);
    await cancel(ana, gone);

    const response = await change(ana, booked, { notes: 'Day' }, 'day');

    expect(response.json).toEqual({ changed: 1 });
    expect(await rowOf(ana, open)).toMatchObject({ notes: 'Day' });
    expect(await rowOf(ana, booked)).toMatchObject({ notes: null });
  });

  describe('that change while somebody fills in the form', () => {
    /** A form that asks 'Why?' of a time that asks 'How?' by now. */
    async function outdatedForm() {
      const ana = await newProvider();
      const [before, after] = [await askingFor(ana, 'Why?'), await askingFor(ana, 'How?')];
      const slot = await publishAsking(ana, before);
      const form = await maya.browser.visit(`/details/${slot.id}?step=questions`);
      expect((await change(ana, slot, { templateId: after })).json).toEqual({ changed: 1 });
      return { ana, slot, form };
    }

    test('are asked anew', async () => {
      const { ana, slot, form } = await outdatedForm();
      const field = form.$('main textarea[name]')?.getAttribute('name') ?? '';

      const refused = await form.submit('main form', { [field]: 'Because' });

      expect(refused.status).toBe(400);
      expect(refused.words).toContain('How?');
      expect((await rowOf(ana, slot)).status).toBe(0);
    });

    test('are not answered by answers to the old ones', async () => {
      const { ana, slot } = await outdatedForm();

      const refused = await bookWith(await newGuest(daybook), slot, [{ question: 'Why?', answer: 'So' }]);

      expect(refused.status).toBe(400);
      expect((await rowOf(ana, slot)).status).toBe(0);
    });
  });
});

const openTomorrow = (host: Person) => openSlotsOf(maya, host, { dates: dayAhead(1) });

/** A provider with two slots of tomorrow, by hand or by hours; Maya has booked that at nine. */
async function bookedAtNine(notes: string | null = null, isByHours = false) {
  const karla = await newProvider();
  if (isByHours) await setHours(karla);
  else await publish(karla, { end: '10:00', notes });
  const [slot, free] = (await openTomorrow(karla)) as [Row, Row];
  return { karla, row: (await book(maya, slot)).json as Row, free };
}
const setHours = (who: Person, details: object = {}) =>
  who.api('PUT', '/api/Appointment/SetHours', { hours: everyDay('09:00', '10:00'), ahead: 2, ...details });

describe('the time of what a provider cancels or moves', () => {
  const cancelOrMove = {
    Cancel: ({ id }: Row, _: Row) => `Cancel?id=${id}`,
    Move: ({ id }: Row, to: Row) => `Move?id=${id}&to=${to.id}`,
  };
  const republish = (karla: Person, call: string) => karla.api('PUT', `/api/Appointment/${call}&republish=true`);

  describe.each(['Cancel', 'Move'] as const)('with republish, by %s,', (call) => {
    async function givenUp() {
      const { karla, row, free } = await bookedAtNine('Ring twice');
      const send = () => republish(karla, cancelOrMove[call](row, free));
      return { karla, row, free, response: await send(), send };
    }
    const startsAtNine = ({ startTime }: Row) => startTime === '09:00';

    test('is answered like any other', async () => {
      const { row, free, response } = await givenUp();

      const canceled = { id: row.id, status: 2 };
      const moved = { id: free.id, movedFrom: row.id };
      expect(response).toMatchObject({ status: 200, json: call === 'Cancel' ? canceled : moved });
    });

    test('is published again with its notes, under a new id', async () => {
      const { karla, row } = await givenUp();

      const [again] = await openTomorrow(karla);

      expect(again).toMatchObject({ startsAt: row.startsAt, endsAt: row.endsAt, notes: 'Ring twice', status: 0 });
      expect(again?.id).not.toBe(row.id);
    });

    test('is published once by a call that is sent again', async () => {
      const { karla, free, send } = await givenUp();

      await send();

      const [, ...others] = await openTomorrow(karla);
      expect(idsOf(others)).toEqual(call === 'Cancel' ? [free.id] : []);
    });

    test('leaves the booking canceled by the provider', async () => {
      const { row } = await givenUp();

      expect(await rowOf(maya, row)).toMatchObject({ status: 2, canceledBy: 'provider' });
    });

    test('can be booked again', async () => {
      const { karla } = await givenUp();
      const again = (await openTomorrow(karla)).find(startsAtNine) as Row;

      expect((await book(await newConsumer(), again)).status).toBe(200);
    });
  });

  describe.each(['Cancel', 'Move'] as const)('that hours want no longer, by %s,', (call) => {
    async function publishedAgain() {
      const { karla, row, free } = await bookedAtNine(null, true);
      await setHours(karla, { except: [{ date: row.date, hours: [] }] });
      const [later = free] = await openSlotsOf(maya, karla, { dates: dayAhead(2) });
      expect((await republish(karla, cancelOrMove[call](row, later))).status).toBe(200);
      return { karla, row };
    }
    const startsTomorrow = async (karla: Person) => (await openTomorrow(karla)).map(({ startsAt }) => startsAt);

    test('is published again', async () => {
      const { karla, row } = await publishedAgain();

      expect(await startsTomorrow(karla)).toContain(row.startsAt);
    });

    test('stays published when the hours change', async () => {
      const { karla, row } = await publishedAgain();

      await setHours(karla, { except: [{ date: row.date, hours: [] }], notes: 'Ring twice' });

      expect(await startsTomorrow(karla)).toContain(row.startsAt);
    });
  });

  test('is published again with what follows in its series, where hours want none of it', async () => {
    const karla = await newProvider();
    await setHours(karla, { hours: everyDay('09:00', '09:30') });
    const ids = idsOf((await openSlotsOf(maya, karla)).slice(0, 2));
    const response = await bookSeries(maya, ids);
    expect(response).toMatchObject({ status: 201 });
    const booked = rowsOf(response);
    const starts = booked.map(({ startsAt }) => startsAt);
    await setHours(karla, { hours: [] });

    await karla.api('PUT', `/api/Appointment/Cancel?id=${booked[0]?.id}&republish=true&following=true`);

    expect((await openSlotsOf(maya, karla)).map(({ startsAt }) => startsAt)).toEqual(starts);
  });

  describe('is offered by a tick', () => {
    const tickOn = async (who: Person, path: string) => (await who.browser.get(path)).$('[name=republish]');
    const screens = {
      canceling: (row: Row, _: Row) => `/details-provider/${row.id}`,
      moving: (row: Row, free: Row) => `/move/${row.id}/${free.id}`,
    };

    test.each(['canceling', 'moving'] as const)(
      'that is on where hours want the time, on the screen of %s',
      async (screen) => {
        const { karla, row, free } = await bookedAtNine(null, true);

        const tick = await tickOn(karla, screens[screen](row, free));

        expect(tick?.hasAttribute('checked')).toBe(true);
      },
    );

    test.each(['canceling', 'moving'] as const)(
      'that is off where it was by hand, on the screen of %s',
      async (screen) => {
        const { karla, row, free } = await bookedAtNine();

        const tick = await tickOn(karla, screens[screen](row, free));

        expect(tick?.hasAttribute('checked')).toBe(false);
      },
    );

    test('that is off where hours want the time no longer', async () => {
      const { karla, row } = await bookedAtNine(null, true);
      await setHours(karla, { except: [{ date: dayAhead(1) }] });

      const tick = await tickOn(karla, `/details-provider/${row.id}`);

      expect(tick?.hasAttribute('checked')).toBe(false);
    });

    test.each([
      ['by hours', true],
      ['by hand', false],
    ])('to no client, where the time was published %s', async (_, isByHours) => {
      const { row } = await bookedAtNine(null, isByHours);

      expect(await tickOn(maya, `/details-cancel/${row.id}`)).toBeNull();
    });
  });

  describe('that took two slots of the hours', () => {
    /** Three hours cut at half an hour, and a booking of 45 minutes that begins them. */
    async function longBooking() {
      const karla = await newProvider();
      const service = await createService(karla, { minutes: 45 });
      await setHours(karla, { hours: everyDay('09:00', '12:00') });
      const [first, second, , later] = (await openTomorrow(karla)) as [Row, Row, Row, Row];
      const response = await maya.api('PUT', `/api/Appointment/Book?id=${first.id}&service=${service.id}`);
      expect(response.status).toBe(200);
      return { karla, row: response.json as Row, taken: [first, second], later };
    }
    const firstHour = async (who: Person) =>
      (await openTomorrow(who)).filter(({ date, startTime }) => date === dayAhead(1) && startTime < '10:00');

    test.each(['Cancel', 'Move'])('is published again in both, under new ids: %s', async (call) => {
      const { karla, row, taken, later } = await longBooking();

      const response = await karla.api('PUT', `/api/Appointment/${call}?id=${row.id}&to=${later.id}&republish=true`);

      expect(response.status).toBe(200);
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

    test.each([
      ['on', 'want a part of it', '09:30'],
      ['off', 'want none of it', '10:00'],
    ])('is offered by a tick that is %s where hours %s', async (state, _, opens) => {
      const { karla, row } = await longBooking();

      await setHours(karla, { hours: everyDay(opens, '12:00') });

      const tick = (await karla.browser.get(`/details-provider/${row.id}`)).$('[name=republish]');
      expect(tick?.hasAttribute('checked')).toBe(state === 'on');
    });
  });
});

describe('BookFor with the answers of somebody who calls', () => {
  const answers = [{ question: 'Why?', answer: 'Pain' }];

  async function askingSlot() {
    const karla = await newProvider();
    const slot = await publishAsking(karla, await askingFor(karla, 'Why?'));
    const send = (who: Person, formData?: object[]) => bookFor(who, slot, { displayName: 'Wanda', formData });
    return { karla, slot, send };
  }

  test('says what is wrong with them', async () => {
    const { karla, slot, send } = await askingSlot();

    expect(complaints(await send(karla, [{ question: 'Who?', answer: 'I' }]))).toHaveLength(2);
    expect(await rowOf(karla, slot)).toMatchObject({ status: 0 });
  });

  test('is refused to another provider', async () => {
    const { karla, slot, send } = await askingSlot();

    expect(await send(rival, answers)).toMatchObject(nothing);
    expect(await rowOf(karla, slot)).toMatchObject({ status: 0 });
  });

  test('keeps them under the question as it is written', async () => {
    const { karla, send } = await askingSlot();

    const booked = await send(karla, [{ question: 'WHY?', answer: 'Pain' }]);

    expect(booked).toMatchObject({ status: 201, json: { bookerName: 'Wanda', formData: answers } });
  });

  test('is refused when it is sent again', async () => {
    const { karla, send } = await askingSlot();
    await send(karla, answers);

    expect((await send(karla, answers)).status).toBe(409);
  });

  test('books without them where they are owed', async () => {
    const { karla, send } = await askingSlot();

    expect(await send(karla)).toMatchObject({ status: 201, json: { formData: [] } });
  });
});
