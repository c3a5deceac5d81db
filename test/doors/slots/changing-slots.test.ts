import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { book, dayAhead, look, type Person, peopleAt, publish, type Row, writeSlot } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { publishQuestions } from '../../support/party-factories';
import { openEnded } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* Notes and questions of open slots, changed after they were published. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const ask = (who: Person, questionText: string) =>
  publishQuestions(who, [{ questionText, questionType: openEnded, required: true }]);
const change = (who: Person, { id }: { id: string }, body: object, scope = 'slot') =>
  who.api('PUT', `/api/Appointment/ChangeOpen?id=${id}&for=${scope}`, body);
const rowOf = async (who: Person, slot: { id: string }) => (await look(who, slot)).json as Row;
const notesOf = (who: Person, rows: Row[]) => Promise.all(rows.map(async (row) => (await rowOf(who, row)).notes));
const formOf = 'form:has([name=intent][value=change])';

describe('notes and questions of open slots', () => {
  test('are changed for one, for its day, or for all that was published with it, and never of what is booked', async () => {
    const ana = await newProvider();
    const template = await ask(ana, 'Why?');
    const dates = [dayAhead(1), dayAhead(2)];
    const rows = (await publish(ana, { end: '10:30', dates, notes: 'First' })) as [Row, Row, Row, Row, Row, Row];
    await publish(ana, { start: '12:00', end: '12:30', notes: 'Other' });
    await book(maya, rows[1]);
    expect(await change(ana, rows[0], { notes: 'One' })).toMatchObject({ status: 200, json: { changed: 1 } });
    expect(await notesOf(ana, rows)).toEqual(['One', ...Array(5).fill('First')]);
    const day = await change(ana, rows[0], { notes: 'Day', templateId: template }, 'day');
    expect(day.json).toEqual({ changed: 3 });
    expect(await notesOf(ana, rows)).toEqual(['Day', 'First', 'Day', 'First', 'First', 'First']);
    expect((await rowOf(ana, rows[2])).template).toBe(template);
    const all = await change(ana, rows[0], { notes: '', templateId: template }, 'publication');
    expect(all.json).toEqual({ changed: 5 });
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
    for (const done of await Promise.all([page.submit(formOf, typed), page.submit(formOf, typed)])) {
      expect(done.words).toContain('2 free times have these notes and questions now.');
    }
    expect(await rowOf(ana, two)).toMatchObject({ notes: 'Ring twice', template });
    await book(maya, two);
    expect((await ana.browser.visit(`/details-provider/${two.id}`)).$(formOf)).toBeNull();
  });

  test('may keep asking what was edited or deleted since, and get no questions of another provider or none there is', async () => {
    const [ana, other] = await Promise.all([newProvider(), newProvider()]);
    const [template, theirs] = await Promise.all([ask(ana, 'Why?'), ask(other, 'How?')]);
    const [one, two] = (await publish(ana, { end: '10:00' }, `templateId=${template}`)) as [Row, Row];
    await ana.api('DELETE', `/api/Checkin/DeleteTemplate?id=${template}`);
    expect((await change(ana, one, { notes: 'New', templateId: template })).status).toBe(200);
    expect((await change(ana, one, { notes: 'New', templateId: null })).status).toBe(200);
    for (const templateId of [template, theirs, 'none']) {
      expect(await change(ana, one, { notes: 'No', templateId })).toMatchObject({
        status: 404,
        json: expect.any(String),
      });
    }
    expect(await rowOf(ana, one)).toMatchObject({ notes: 'New', template: null });
    const page = await ana.browser.post(`/details-provider/${two.id}`, {
      intent: 'change',
      templateId: theirs,
      notes: 'Kept',
    });
    expect([page.status, page.$(`${formOf} textarea`)?.text]).toEqual([404, 'Kept']);
    expect(page.$('#field-templateId-faults')).not.toBeNull();
  });

  test('of a time that is booked at that moment change before the booking or not at all', {
    timeout: 60_000,
  }, async () => {
    const ana = await newProvider();
    const [asked, changed] = [await ask(ana, 'Why?'), await ask(ana, 'Since when?')];
    const dates = [dayAhead(3), dayAhead(4), dayAhead(5)];
    const rounds: Row[] = [];
    for (const date of dates) {
      rounds.push(...(await publish(ana, { start: '08:00', end: '16:30', dates: [date] }, `templateId=${asked}`)));
    }
    const seen = { booked: 0, changed: 0 };
    for (const [place, slot] of rounds.slice(0, 50).entries()) {
      const says = [{ question: 'Why?', answer: 'My back' }];
      const booking = async () => {
        if (place % 2) await sleep(place % 5);
        return maya.api('PUT', `/api/Appointment/Book?id=${slot.id}`, says);
      };
      const changing = async () => {
        if (!(place % 2)) await sleep(place % 13);
        return change(ana, slot, { notes: 'New', templateId: changed });
      };
      const [booked, made] = await Promise.all([booking(), changing()]);
      const row = await rowOf(ana, slot);
      const stands = [booked.status, made.status, row.status, row.template, row.notes, row.formData.length];
      // Whoever has booked has answered what the appointment asks; else the answers fit no question, and the time is free.
      const isBooked = booked.status === 200;
      expect(stands).toEqual(
        isBooked ? [200, 409, 1, asked, null, 1] : [expect.any(Number), 200, 0, changed, 'New', 0],
      );
      expect([200, 400, 409]).toContain(booked.status);
      seen[isBooked ? 'booked' : 'changed'] += 1;
    }
    expect(seen.booked).toBeGreaterThan(4);
    expect(seen.changed).toBeGreaterThan(4);
  });

  test('are nobody else’s to change, nor are those of what is booked, withdrawn or has begun', async () => {
    const [ana, rival] = await Promise.all([newProvider(), newProvider()]);
    const [one, booked, gone] = (await publish(ana, { end: '10:30' })) as [Row, Row, Row];
    expect((await change(rival, one, { notes: 'Mine' })).status).toBe(404);
    expect((await change(maya, one, { notes: 'Mine' })).status).toBe(403);
    const stranger = daybook.visitor();
    const answer = await stranger.api('PUT', `/api/Appointment/ChangeOpen?id=${one.id}`, { notes: 'Mine' });
    expect(answer.status).toBe(401);
    await book(maya, booked);
    await ana.api('PUT', `/api/Appointment/Cancel?id=${gone.id}`);
    const begun = await writeSlot(daybook.d1, ana, { startsIn: -5 });
    for (const slot of [booked, gone, begun]) expect((await change(ana, slot, { notes: 'Late' })).status).toBe(409);
    expect((await change(ana, booked, { notes: 'Day' }, 'day')).json).toEqual({ changed: 1 });
    expect(await rowOf(ana, booked)).toMatchObject({ notes: null });
    expect(complaints(await change(ana, one, { notes: 'x'.repeat(1001) }, 'week'))).toHaveLength(2);
  });

  test('that change while somebody fills in the form are asked anew, and nothing is booked meanwhile', async () => {
    const ana = await newProvider();
    const [before, after] = [await ask(ana, 'Why?'), await ask(ana, 'How?')];
    const [one, two] = (await publish(ana, { end: '10:00' }, `templateId=${before}`)) as [Row, Row];
    const form = await maya.browser.visit(`/details/${one.id}?step=questions`);
    const field = form.$('main textarea[name], main input[type=text][name]')?.getAttribute('name') ?? '';
    expect((await change(ana, one, { templateId: after }, 'day')).json).toEqual({ changed: 2 });
    const refused = await form.submit('main form', { [field]: 'Because' });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('How?')]);
    const guest = await newGuest(daybook);
    for (const who of [maya, guest]) {
      const answered = await who.api('PUT', `/api/Appointment/Book?id=${two.id}`, [
        { question: 'Why?', answer: 'Fun' },
      ]);
      expect(complaints(answered).length).toBeGreaterThan(0);
    }
    expect((await rowOf(ana, two)).status).toBe(0);
    const booked = await maya.api('PUT', `/api/Appointment/Book?id=${two.id}`, [{ question: 'How?', answer: 'So' }]);
    expect(booked.status).toBe(200);
  });
});
