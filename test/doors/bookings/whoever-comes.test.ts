import { describe, expect, test } from 'vitest';
import { brokenRules } from '../../habits/invariants';
import { mark } from '../../support/appointment-calls';
import {
  book,
  cancel,
  dayAhead,
  isoAhead,
  look,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { createService } from '../../support/services';
import { bookWith, singleChoice } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, typedIn } from '../../support/visit';

/* What a provider does for whoever comes, walks in or calls: marks, the sheet of a day, classes, bookings, slips of paper, notes. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, rival, maya, june } = useWorld(daybook, {
  ana: {},
  rival: {},
  maya: { displayName: 'Maya Ek' },
  june: { displayName: 'Tomas' },
});

const attendanceOf = async (who: Person, slot: { id: string }) => ((await look(who, slot)).json as Row).attendance;

describe('marking who came', () => {
  test('begins as unknown', async () => {
    const provider = await newProvider();
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -60, booker: maya });

    expect(await attendanceOf(provider, slot)).toBe('unknown');
  });

  test('can be changed by the provider again and again', async () => {
    const provider = await newProvider();
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -60, booker: maya });

    for (const attendance of ['seen', 'excused', 'missed', 'unknown', 'seen']) {
      expect(await mark(provider, slot, attendance)).toMatchObject({ status: 200, json: { attendance } });
      expect(await attendanceOf(provider, slot)).toBe(attendance);
    }
  });

  test('is hidden from the client', async () => {
    const provider = await newProvider();
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -60, booker: maya });

    for (const attendance of ['seen', 'excused', 'missed', 'unknown']) {
      await mark(provider, slot, attendance);
      expect(await attendanceOf(maya, slot)).toBeNull();
    }
  });

  test.each(['coming', 'canceled', 'open'])('is refused for an appointment that is %s', async (state) => {
    const provider = await newProvider();
    const slot = await publishOne(provider);
    if (state !== 'open') await book(maya, slot);
    if (state === 'canceled') await cancel(provider, slot);

    expect((await mark(provider, slot, 'seen')).status).toBe(409);
    expect(await attendanceOf(provider, slot)).toBeNull();
  });

  test('twice at once counts once', async () => {
    const slot = await writeSlot(daybook.d1, ana, { startsIn: -120, booker: june });

    await Promise.all([mark(ana, slot, 'missed'), mark(ana, slot, 'missed')]);

    expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);
  });

  test('again as before counts once', async () => {
    const slot = await writeSlot(daybook.d1, ana, { startsIn: -180, booker: june });

    await mark(ana, slot, 'missed');
    await mark(ana, slot, 'missed');

    expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);
  });
});

describe('the page of an appointment', () => {
  /** A provider whose only appointment is over, and its page. */
  async function pageOfPast() {
    const provider = await newProvider();
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -60, booker: maya });
    return { provider, slot, page: await provider.browser.get(`/details-provider/${slot.id}`) };
  }
  const pressed = (page: Page) => page.$$('button[aria-pressed=true]').map(({ structuredText }) => structuredText);

  test.each([
    ['seen', 'Came'],
    ['missed', 'Missed'],
    ['excused', 'Excused'],
  ])('marks as %s in one press', async (as, words) => {
    const { provider, slot, page } = await pageOfPast();

    const marked = await page.submit(`button[name=as][value=${as}]`);

    expect(marked.words).toContain(`Marked: ${words}.`);
    expect(pressed(marked)).toEqual([expect.stringContaining(words)]);
    expect(await attendanceOf(provider, slot)).toBe(as);
  });

  test('takes a mark back that is pressed again', async () => {
    const { provider, slot, page } = await pageOfPast();
    const marked = await page.submit('button[name=as][value=missed]');

    const unmarked = await marked.submit('button[aria-pressed=true]');

    expect(pressed(unmarked)).toEqual([]);
    expect(await attendanceOf(provider, slot)).toBe('unknown');
  });

  test('has no marks before the appointment begins', async () => {
    const provider = await newProvider();
    const slot = await publishOne(provider);
    await book(maya, slot);

    const page = await provider.browser.get(`/details-provider/${slot.id}`);

    expect(page.words).toContain('Cancel Appointment');
    expect(page.$$('button[name=as]')).toEqual([]);
  });

  test('has no marks for the client', async () => {
    const { provider, slot } = await pageOfPast();
    await mark(provider, slot, 'missed');

    const page = await maya.browser.get(`/details-cancel/${slot.id}`);

    expect(page.status).toBe(200);
    expect(page.words).not.toContain('Missed');
  });
});

describe('the list of past appointments', () => {
  async function markedAsMissed() {
    const provider = await newProvider();
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -60, booker: maya });
    await mark(provider, slot, 'missed');
    return provider;
  }
  const pastLinesOf = async (who: Person) =>
    (await who.browser.get('/view-booked?past=true')).$$('.lines li').map(({ structuredText }) => structuredText);

  test('shows the mark to the provider', async () => {
    expect(await pastLinesOf(await markedAsMissed())).toEqual([expect.stringContaining('Missed')]);
  });

  test('shows no mark to the client', async () => {
    await markedAsMissed();

    const lines = await pastLinesOf(maya);

    expect(lines).not.toEqual([]);
    expect(lines.join()).not.toContain('Missed');
  });
});

describe('the day sheet', () => {
  /** A provider who asks which side, and whose first two half hours of tomorrow are Zoë's. Only the first is answered. */
  async function zoesDay() {
    const provider = await newProvider();
    const zoe = await newConsumer({ displayName: 'Zoë Hall' });
    const side = { questionText: 'Side?', questionType: singleChoice, options: ['Left Knee', 'RIGHT'] };
    const id = await publishQuestions(provider, [side]);
    const [first, second] = (await publish(provider, { end: '10:00' }, `templateId=${id}`)) as [Row, Row];
    await bookWith(zoe, first, [{ question: 'Side?', answer: 'LEFT knee' }]);
    await book(zoe, second);
    return { provider, first };
  }
  const sheetOf = (provider: Person) => provider.browser.get(`/day?date=${dayAhead(1)}`);
  const rowsOn = (page: Page) => page.$$('.sheet tbody tr:not(.walk-in)').map(({ structuredText }) => structuredText);

  test('has a row with times and name for each appointment', async () => {
    const { provider } = await zoesDay();

    const rows = rowsOn(await sheetOf(provider));

    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/09:00 to 09:30[\s\S]*Zoë Hall/);
  });

  test('has the answers as they were offered', async () => {
    const { provider } = await zoesDay();

    const [row] = rowsOn(await sheetOf(provider));

    expect(row).toMatch(/Side\?[\s\S]*Left Knee/);
  });

  test('says where answers are owed', async () => {
    const { provider } = await zoesDay();

    const [, row] = rowsOn(await sheetOf(provider));

    expect(row).toContain('Answers are owed.');
  });

  test('has the private note before the answers', async () => {
    const { provider, first } = await zoesDay();
    await provider.api('PUT', `/api/Appointment/SetNote?id=${first.id}`, { note: 'Brings a dog' });

    const [row] = rowsOn(await sheetOf(provider));

    expect(row).toMatch(/Zoë Hall[\s\S]*Note[\s\S]*Brings a dog[\s\S]*Side\?/);
  });

  test('opens on the day that is typed into its date field', async () => {
    const { provider } = await zoesDay();
    const today = await provider.browser.get('/day');

    const sheet = await today.submit('Show day', { date: isoAhead(1) });

    expect(rowsOn(sheet)).toHaveLength(2);
    expect(sheet.$$('input[name=date]')[0]?.getAttribute('value')).toBe(isoAhead(1));
  });

  test('has empty lines for whoever walks in', async () => {
    const { provider } = await zoesDay();

    const page = await sheetOf(provider);

    expect(page.$$('.walk-in').length).toBeGreaterThan(2);
  });

  /** The sheet of a day on which somebody has come, or two if no midnight lies between, and the names of their marks. */
  async function pastDay() {
    const provider = await newProvider();
    const late = await writeSlot(daybook.d1, provider, { startsIn: -35, booker: maya });
    await writeSlot(daybook.d1, provider, { startsIn: -70, booker: maya });
    const { date } = (await look(provider, late)).json as Row;
    const page = await provider.browser.get(`/day?date=${date}`);
    const names = page.$$('fieldset input[value=seen]').map((box) => box.getAttribute('name') ?? '');
    const saveAll = (from: Page, mark: string) =>
      from.submit('Save all marks', Object.fromEntries(names.map((name) => [name, mark])));
    return { page, saveAll, count: names.length };
  }
  const chosenOn = (page: Page, mark: string) => page.$$(`fieldset input[value=${mark}][checked]`);

  test('marks all of a day by one form', async () => {
    const { page, saveAll, count } = await pastDay();

    const saved = await saveAll(page, 'seen');

    expect(saved.words).toMatch(/marks? (has|have) changed/);
    expect(chosenOn(saved, 'seen')).toHaveLength(count);
  });

  test('changes marks that were saved', async () => {
    const { page, saveAll, count } = await pastDay();

    const changed = await saveAll(await saveAll(page, 'seen'), 'missed');

    expect(changed.words).toMatch(/marks? (has|have) changed/);
    expect(chosenOn(changed, 'missed')).toHaveLength(count);
  });

  test('says that the same marks change nothing', async () => {
    const { page, saveAll, count } = await pastDay();

    const same = await saveAll(await saveAll(page, 'missed'), 'missed');

    expect(same.words).toContain('Nothing had to change');
    expect(chosenOn(same, 'missed')).toHaveLength(count);
  });
});

/** A yoga teacher with one class of eight, two days ahead. */
async function yogaClass() {
  const asha = await newProvider({ displayName: 'Asha Rao' });
  const { id: serviceId } = await createService(asha, { name: 'Morning yoga', minutes: 60, seats: 8 });
  const slot = await publishOne(asha, { start: '07:00', end: '08:00', dates: [dayAhead(2)], serviceId });
  return { asha, slot, openClass: () => asha.browser.get(`/details-provider/${slot.id}`) };
}

const join = async (who: Person, { id }: Row, people = 1) =>
  (await who.api('PUT', `/api/Appointment/Book?id=${id}&people=${people}`)).json as Row;

describe('a class', () => {
  test('is one thing in the week', async () => {
    const { asha, slot } = await yogaClass();
    await join(maya, slot, 2);
    await join(june, slot);

    const week = await asha.browser.get(`/week?from=${dayAhead(1)}`);

    const labels = week.$$('.week-item').map((item) => item.getAttribute('aria-label'));
    expect(labels).toEqual(['07:00 Morning yoga, 3 people, to 08:00, Booked']);
  });

  test('is one heading above its people on the day sheet', async () => {
    const { asha, slot } = await yogaClass();
    await join(maya, slot, 2);
    await join(june, slot);

    const sheet = await asha.browser.get(`/day?date=${dayAhead(2)}`);

    const [heading, ...rows] = sheet.$$('.sheet tbody tr').map(({ text }) => text);
    const [one, other] = rows.slice(0, 2).sort();
    expect(heading).toBe('07:00 to 08:00, Morning yoga, 3 people');
    expect(one).toContain('Maya Ek and 1 more');
    expect(other).toContain('Tomas');
  });

  test('takes people whom its provider books', async () => {
    const { openClass } = await yogaClass();

    const page = await (await openClass()).submit('Book for them', { displayName: 'Wanda', people: '3' });

    expect(page.words).toContain('Wanda');
  });

  test('says how many places are taken', async () => {
    const { slot, openClass } = await yogaClass();
    await join(maya, slot);
    await (await openClass()).submit('Book for them', { displayName: 'Wanda', people: '3' });

    expect((await openClass()).words).toContain('4 of 8 places');
  });

  test('says before it is canceled whom nobody tells', async () => {
    const { slot, openClass } = await yogaClass();
    await join(maya, slot);
    await (await openClass()).submit('Book for them', { displayName: 'Wanda' });

    expect((await openClass()).words).toMatch(/One of them is told .* Please call Wanda/);
  });

  test('is canceled for all who come', async () => {
    const { slot, openClass } = await yogaClass();
    const booking = await join(maya, slot);

    await (await openClass()).submit('Cancel the class', { reason: 'The heating is broken' });

    const canceled = { status: 2, cancelReason: 'The heating is broken' };
    expect((await look(maya, booking)).json).toMatchObject(canceled);
  });

  test('is canceled with a reason that its people read', async () => {
    const { slot, openClass } = await yogaClass();
    const client = await newConsumer();
    await join(client, slot);

    await (await openClass()).submit('Cancel the class', { reason: 'The heating is broken' });

    expect((await client.browser.get('/news')).words).toContain('The heating is broken');
  });
});

let days = 2;
const freshSlot = () => publishOne(ana, { dates: [dayAhead(++days)] });
const pageOf = (slot: Row) => ana.browser.get(`/details-provider/${slot.id}`);
const linkOn = (page: Page) => page.$('input[readonly]')?.getAttribute('value') ?? '';
const pathOn = (page: Page) => new URL(linkOn(page)).pathname;
const wanda = { displayName: 'Wanda', note: 'By telephone' };

/** The code on a page of a link that was just made. */
const codeOn = (page: Page) => page.$('#code')?.text ?? '';
const typeCode = async (code: string) =>
  (await daybook.visitor().get('/claim')).submit('Show my appointment', { code });
/** A slot booked for Wanda, as the page after it shows it. */
async function bookedFor(slot?: Row): Promise<Page> {
  return (await pageOf(slot ?? (await freshSlot()))).submit('Book for them', wanda);
}

describe('booking for someone', () => {
  test('is one form on an open slot', async () => {
    const slot = await freshSlot();

    await bookedFor(slot);

    expect((await look(ana, slot)).json).toMatchObject({ bookerName: 'Wanda', privateNote: 'By telephone' });
  });

  test('shows a link that opens the appointment for them', async () => {
    const page = await bookedFor();

    expect(linkOn(page)).toMatch(/\/booking\/[\w-]{22,}$/);
    expect((await daybook.visitor().visit(pathOn(page))).words).toContain('Booked for Wanda.');
  });

  test('shows the link once', async () => {
    const slot = await freshSlot();

    await bookedFor(slot);

    expect(linkOn(await pageOf(slot))).toBe('');
  });

  test('shows no link of another appointment by the address of this one', async () => {
    const other = await freshSlot();
    await book(maya, other);
    const { search } = new URL((await bookedFor()).url);

    const page = await ana.browser.get(`/details-provider/${other.id}${search}`);

    expect(page.status).toBe(200);
    expect(linkOn(page)).toBe('');
  });

  test('shows no link by an address that is made up', async () => {
    const slot = await freshSlot();
    await book(maya, slot);

    const page = await ana.browser.get(`/details-provider/${slot.id}?made=x`);

    expect(page.status).toBe(200);
    expect(linkOn(page)).toBe('');
  });

  test('shows nothing to another provider', async () => {
    const { pathname, search } = new URL((await bookedFor()).url);

    expect((await rival.browser.get(pathname + search)).status).toBe(404);
  });

  test('without a name books nothing', async () => {
    const slot = await freshSlot();

    const refused = await (await pageOf(slot)).submit('Book for them', { displayName: ' ', note: 'Late' });

    expect(refused.status).toBe(400);
    expect((await look(ana, slot)).json).toMatchObject({ status: 0 });
  });

  test('keeps what was typed where something is wrong', async () => {
    const page = await pageOf(await freshSlot());

    const refused = await page.submit('Book for them', { displayName: ' ', email: 'w', note: 'Late' });

    expect(typedIn(refused, 'email')).toBe('w');
  });

  test('by a form that is sent twice books once', async () => {
    const page = await pageOf(await freshSlot());

    const [one, other] = await Promise.all([page.submit('Book for them', wanda), page.submit('Book for them', wanda)]);

    expect(one.status).toBe(200);
    expect(other.status).toBe(200);
    expect(linkOn(one)).toBe(linkOn(other));
  });
});

describe('the slip of paper', () => {
  test('has the link as a picture', async () => {
    const page = await bookedFor();

    expect(page.$('.slip svg title')?.text).toBe('QR code of the link');
  });

  test('has a code of ten signs that nobody mistakes', async () => {
    const page = await bookedFor();

    expect(codeOn(page)).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
  });

  test('has a code that opens the appointment', async () => {
    const page = await bookedFor();

    const opened = await typeCode(codeOn(page));

    expect(opened.path).toBe(pathOn(page));
    expect(opened.words).toContain('Booked for Wanda.');
  });

  test('has a code that may be typed in any spelling', async () => {
    const page = await bookedFor();

    const opened = await typeCode(` ${codeOn(page).toLowerCase().replace('-', ' – ')} `);

    expect(opened.path).toBe(pathOn(page));
  });

  test('leads to the same page where the form of the code is sent twice', async () => {
    const page = await bookedFor();
    const form = await daybook.visitor().get('/claim');

    const opened = await Promise.all([1, 2].map(() => form.submit('Show my appointment', { code: codeOn(page) })));

    expect(opened.map(({ path }) => path)).toEqual([pathOn(page), pathOn(page)]);
  });

  test('has a code that opens nothing a second time', async () => {
    const code = codeOn(await bookedFor());
    await typeCode(code);

    const spent = await typeCode(code);

    expect(spent.status).toBe(400);
    expect(typedIn(spent, 'code')).toBe(code);
  });

  test('shows the link without a code once that is spent', async () => {
    const page = await bookedFor();
    await typeCode(codeOn(page));

    const again = await ana.browser.get(page.path);

    expect(codeOn(again)).toBe('');
    expect(linkOn(again)).toBe(linkOn(page));
  });

  test('lets one in of several who type the code at once', async () => {
    const code = codeOn(await bookedFor());

    const pages = await Promise.all([1, 2, 3, 4].map(() => typeCode(code)));

    expect(pages.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  const codes = [
    ['is wrong', async () => '22222-22222'],
    ['is no code at all', async () => 'x'],
    [
      'is of a canceled appointment',
      async () => {
        const slot = await freshSlot();
        const code = codeOn(await bookedFor(slot));
        await cancel(ana, slot);
        return code;
      },
    ],
    [
      'is of a link that was replaced',
      async () => {
        const slot = await freshSlot();
        const code = codeOn(await bookedFor(slot));
        await (await pageOf(slot)).submit('New link');
        return code;
      },
    ],
  ] as const;
  test.each(codes)('says the same of a code that %s', async (_, codeFor) => {
    const page = await typeCode(await codeFor());

    expect(page.status).toBe(400);
    expect(page.words).toContain('This code opens nothing.');
  });

  test('has another code with a new link', async () => {
    const slot = await freshSlot();
    const first = codeOn(await bookedFor(slot));

    const anew = await (await pageOf(slot)).submit('New link');

    expect(codeOn(anew)).not.toBe(first);
    expect((await typeCode(codeOn(anew))).path).toBe(pathOn(anew));
  });
});

describe('the note of an appointment', () => {
  async function savedNote(note = 'Parks outside') {
    const slot = await freshSlot();
    await book(maya, slot);
    return { slot, saved: await (await pageOf(slot)).submit('Save note', { note }) };
  }

  test('is read by its provider', async () => {
    const { slot } = await savedNote();

    expect((await look(ana, slot)).json).toMatchObject({ privateNote: 'Parks outside' });
  });

  test('is hidden from the client', async () => {
    const { slot } = await savedNote();

    const page = await maya.browser.get(`/details-cancel/${slot.id}`);

    expect(page.status).toBe(200);
    expect(page.words).not.toContain('Parks outside');
  });

  test('is refused where it is too long', async () => {
    const { slot, saved } = await savedNote();

    const refused = await saved.submit('Save note', { note: 'x'.repeat(1001) });

    expect(refused.status).toBe(400);
    expect((await look(ana, slot)).json).toMatchObject({ privateNote: 'Parks outside' });
  });

  test('goes away where it is emptied', async () => {
    const { slot, saved } = await savedNote();

    await saved.submit('Save note', { note: '' });

    expect((await look(ana, slot)).json).toMatchObject({ privateNote: null });
  });
});
