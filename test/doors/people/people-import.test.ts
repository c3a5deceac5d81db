import { describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { book, dayAhead, isoAhead, type Person, peopleAt, publishOne } from '../../support/factories';
import { cardsOf } from '../../support/people';
import { useServer } from '../../support/use-server';
import { askedOf, Page } from '../../support/visit';

/* People and coming appointments that a provider brings along as a table: by a call, and on the screen without script. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const booked = async (who: Person) =>
  (await agenda(who)).map(({ bookerName, startTime, endTime }) => [bookerName, startTime, endTime]);
const dates = async (who: Person) => (await agenda(who)).map(({ date }) => date);
const cards = async (who: Person) =>
  (await cardsOf(who)).map(({ name, email, phone, note }) => [name, email, phone, note]);

type Imported = {
  new: number;
  merged: number;
  refused: number;
  appointments: number;
  rows: { row: number; fate: string; why: string | null }[];
};
/** Sends bytes of a table, which the visitor of other tests can't. */
async function send(who: Person, file: string | Uint8Array, query = 'preview=false') {
  const path = '/api/People/Import';
  const headers = { 'Content-Type': 'text/csv', Cookie: who.browser.cookies.header(path) ?? '' };
  const url = new URL(`${path}?${query}`, who.browser.url);
  const response = await fetch(url, { method: 'POST', headers, body: file as BodyInit });
  const json = (await response.json()) as Imported;
  const { rows = [], ...counts } = json;
  return { status: response.status, headers: response.headers, json, rows, counts };
}

describe('a table of people', () => {
  test('is previewed, brought along once, and changes nothing when it is sent again, also twice at once', async () => {
    const ana = await newProvider();
    const file = `Name,E-mail,Phone,Note,Date,Start,Minutes\r\n"Ek, Maya",maya@mail.test,+351 900 111,"Likes ""short""\nhair",${isoAhead(3)},10:00,45\r\nTomas,,555 123,,,,\r\nNo Way,not an address,,,,,\r\n`;
    const outcome = { new: 2, merged: 0, refused: 1, appointments: 1 };
    const preview = await send(ana, file, 'preview=true');
    expect([preview.status, preview.counts]).toEqual([200, outcome]);
    expect(preview.rows.map(({ row, fate, why }) => [row, fate, why])).toEqual([
      [2, 'new', null],
      [3, 'new', null],
      [4, 'refused', 'That is no e-mail address.'],
    ]);
    expect(await cards(ana)).toEqual([]);
    const first = await Promise.all([send(ana, file), send(ana, file)]);
    expect(first.map(({ counts }) => counts)).toContainEqual(outcome);
    for (let times = 0; times < 2; times++) {
      expect(await cards(ana)).toEqual([
        ['Ek, Maya', 'maya@mail.test', '+351 900 111', 'Likes "short"\nhair'],
        ['Tomas', null, '555 123', null],
      ]);
      expect(await booked(ana)).toEqual([['Ek, Maya', '10:00', '10:45']]);
      expect((await send(ana, file)).counts).toEqual({ ...outcome, new: 0, merged: 2 });
    }
    expect(await daybook.d1.prepare('SELECT count(*) AS told FROM messages').first()).toEqual({ told: 0 });
  });

  test('is read with a byte-order mark, semicolons, Latin-1 and formulas in its cells', async () => {
    const ana = await newProvider();
    await send(ana, '\uFEFFName;Telefon\r\n=HYPERLINK("x");123 45\r\n');
    await send(ana, Uint8Array.from([...'name\nJos'].map((sign) => sign.charCodeAt(0)).concat(0xe9)));
    expect((await cards(ana)).map(([name]) => name)).toEqual(['=HYPERLINK("x")', 'José']);
    // What Daybook itself wrote comes back as it was.
    await send(ana, (await ana.browser.get('/people/people.csv')).text);
    expect(await cards(ana)).toHaveLength(2);
  });

  const minutes45 = ['14:30', '15:15'];
  test.each([
    [
      'of an appointment book, with first and last names',
      'Start Time,End Time,First Name,Last Name,Phone,Email\n"March 4, 2027 2:30 pm","March 4, 2027 3:15 pm",Maya,Ek,555 123,maya@mail.test',
      minutes45,
    ],
    [
      'of a scheduler, with all names and the date and time in one cell',
      'Invitee Name,Invitee First Name,Invitee Last Name,Invitee Email,Start Date & Time,End Date & Time\nMaya Ek,Maya,Ek,maya@mail.test,2027-03-04 02:30 pm,2027-03-04 03:15 pm',
      minutes45,
    ],
    ['of a calendar', 'Name\tDate\tFrom\tUntil\nMaya Ek\t4 March 2027\t14:30\t15:15', minutes45],
    ['of a spreadsheet', 'Name;Datum;Uhrzeit;Dauer\nMaya Ek;04.03.2027 00:00:00;14.30;0:45', minutes45],
    ['that ends after midnight', 'name,start,end\nMaya Ek,2027-03-04 22:30,2027-03-05 00:30', ['22:30', '00:30']],
  ])('%s is read as it is', async (_, file, times) => {
    const ana = await newProvider();
    const { rows } = await send(ana, file);
    expect(rows.map(({ fate, why }) => [fate, why])).toEqual([['new', null]]);
    expect(await booked(ana)).toEqual([['Maya Ek', ...times]]);
    expect(await dates(ana)).toEqual(['03-04-2027']);
  });

  test('has no appointment on a date that a program wrote with a midnight of its own', async () => {
    for (const date of ['3/14/2027 12:00:00 AM', '2027-03-14T00:00:00.000']) {
      const { counts } = await send(await newProvider(), `name,date,minutes\nMaya,${date},30`);
      expect(counts).toEqual({ new: 1, merged: 0, refused: 0, appointments: 0 });
    }
  });

  test('has no appointment that ends a day later or before it begins', async () => {
    const ana = await newProvider();
    for (const end of ['2027-03-05 23:30', '2027-03-03 23:30']) {
      const { rows } = await send(ana, `name,start,end\nMaya,2027-03-04 22:30,${end}`);
      expect(rows.map(({ why }) => why)).toEqual(['The length must be 5 to 1,440 minutes.']);
    }
    expect(await booked(ana)).toEqual([]);
  });

  test('is refused whole where it is cut off, too long or has no names, and a date that can be two days is asked about', async () => {
    const ana = await newProvider();
    const tooMany = `name\n${Array.from({ length: 2001 }, (_, row) => `Person ${row}`).join('\n')}`;
    for (const [file, words] of [
      ['name,note\nMaya,"She said', /cut off: row 2/],
      [tooMany, /2,001 rows/],
      ['what\nMaya', /which column has the names/],
    ] as const) {
      const answer = await send(ana, file);
      expect([answer.status, JSON.stringify(answer.json)]).toEqual([400, expect.stringMatching(words)]);
    }
    const file = 'name,date,start,minutes\nMaya,3/4/2027,10:00,30';
    expect((await send(ana, file)).status).toBe(400);
    const preview = await send(ana, file, 'preview=true');
    expect(preview.rows).toMatchObject([{ fate: 'refused', why: expect.stringContaining('can be two days') }]);
    await send(ana, file, 'preview=false&dates=dmy');
    expect(await dates(ana)).toEqual(['04-03-2027']);
    expect((await send(ana, `name,note\nMaya,x\nTom`)).rows.at(-1)).toMatchObject({ fate: 'refused' });
  });

  test('books nothing over what is there, and leaves what is booked as it is', async () => {
    const [ana, maya] = [await newProvider(), await newConsumer()];
    const day = { dates: [dayAhead(3)] };
    await book(maya, await publishOne(ana, { ...day, start: '10:00', end: '10:30' }));
    await publishOne(ana, { ...day, start: '10:30', end: '11:00' });
    const wanted = ['Tomas 09:45 30', 'Eva 10:30 30', 'Uli 12:00 60', 'Otto 12:30 30', 'Nils 09:50 10'];
    const lines = wanted
      .map((line) => line.split(' '))
      .map(([name, start, length]) => `${name},${isoAhead(3)},${start},${length}`);
    const { rows } = await send(ana, ['name,date,start,minutes', ...lines].join('\n'));
    expect(rows.map(({ fate }) => fate)).toEqual(['refused', 'new', 'new', 'refused', 'new']);
    expect((await booked(ana)).map(([name]) => name)).toEqual(['Nils', maya.displayName, 'Eva', 'Uli']);
  });

  test('of a hundred rows reads as much whether there are cards already or not', async () => {
    const ana = await newProvider();
    const readOf = async (first: number, hasMail: boolean) => {
      const numbers = Array.from({ length: 100 }, (_, row) => first + row);
      const rows = numbers.map((row) => `Person ${row},${hasMail ? `p${row}@mail.test` : ''},5${row}`);
      const { counts, headers } = await send(ana, `name,email,phone\n${rows.join('\n')}`);
      expect(counts).toMatchObject({ new: 100 });
      return askedOf(headers).read;
    };
    const alone = await readOf(100, true);
    for (const first of [200, 300, 400, 500]) expect(await readOf(first, true)).toBeLessThan(alone + 300);
    // By name and number.
    expect(await readOf(900, false)).toBeLessThan(2 * alone);
    expect((await cards(ana)).length).toBe(20);
  });

  test('of 2,000 rows, each with an appointment, comes along in one request', async () => {
    const ana = await newProvider();
    const lines = Array.from({ length: 2000 }, (_, row) => {
      const [day, slot] = [2 + Math.floor(row / 40), row % 40];
      const start = `${String(8 + Math.floor(slot / 4)).padStart(2, '0')}:${String((slot % 4) * 15).padStart(2, '0')}`;
      return `Person ${row},p${row}@mail.test,${isoAhead(day)},${start},15`;
    });
    const { status, counts } = await send(ana, `name,email,date,start,minutes\n${lines.join('\n')}`);
    expect([status, counts]).toEqual([200, { new: 2000, merged: 0, refused: 0, appointments: 2000 }]);
  }, 60_000);
});

const path = '/people/import';

/** Sends a form as a browser does: with the hidden fields and choices of the page, unless others are given. */
async function submit(who: Person, page: Page | null, given: Record<string, string | File>): Promise<Page> {
  const form = new FormData();
  for (const field of page?.$$('main form[method=post] :is(input, textarea, select)') ?? []) {
    const name = field.getAttribute('name');
    if (!name || field.getAttribute('type') === 'file' || name in given) continue;
    const chosen = field.localName === 'select' ? field.querySelector('option[selected]') : field;
    form.append(name, chosen?.getAttribute('value') ?? (field.localName === 'textarea' ? field.text : ''));
  }
  for (const [name, value] of Object.entries(given)) form.append(name, value);
  const cookie = who.browser.cookies.header(path) ?? '';
  // What is too large is refused unread, and its connection may be closed before the next form goes over it.
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', Connection: 'close' };
  const answer = await fetch(new URL(path, who.browser.url), { method: 'POST', headers, body: form });
  const { status, url } = answer;
  return new Page(who.browser, { status, url, headers: answer.headers, text: await answer.text() });
}
const fileOf = (text: BlobPart) => new File([text], 'clients.csv', { type: 'text/csv' });
const chosen = (page: Page) =>
  page.$$('main select').map((select) => select.querySelector('option[selected]')?.getAttribute('value'));
const expectPage = (page: Page, status: number, words: string) =>
  expect([page.status, page.words]).toEqual([status, expect.stringContaining(words)]);

describe('clients', () => {
  test('are brought along from a file: columns, dates, preview, import, and once only', async () => {
    const ana = await newProvider();
    const start = await (await ana.browser.get('/people')).click('Bring your clients along');
    const file =
      'Who,E-mail,Date,Start,Minutes\r\n"Ek, Maya",maya@mail.test,3/4/2027,10:00,45\r\nTomas,no address,,,\r\n';
    const columns = await submit(ana, start, { file: fileOf(file), intent: 'read' });
    expect(chosen(columns).slice(0, 5)).toEqual(['', 'email', 'date', 'start', 'minutes']);
    const nameless = await submit(ana, columns, { intent: 'preview' });
    expectPage(nameless, 400, 'Say which column has the names.');
    const asked = await submit(ana, nameless, { intent: 'preview', column0: 'name' });
    expectPage(asked, 400, 'Some dates can be two days.');
    expect(chosen(asked)[0]).toBe('name');
    const preview = await submit(ana, asked, { intent: 'preview', dates: 'dmy' });
    expectPage(preview, 200, 'nobody is mailed');
    expect(preview.words).toMatch(/Tomas.*Left out: That is no e-mail address\..*Ek, Maya.*New/s);
    expect(await cards(ana)).toHaveLength(0);
    const done = await submit(ana, preview, { intent: 'import' });
    expectPage(done, 200, 'Nobody was mailed.');
    expect(done.$('main a[href="/people"]')).not.toBeNull();
    expectPage(await submit(ana, preview, { intent: 'import' }), 200, 'You have them already');
    expect([(await cards(ana)).length, await dates(ana)]).toEqual([1, ['04-03-2027']]);
    expect(chosen(await submit(ana, preview, { intent: 'read' }))[0]).toBe('name');
  });

  test('are pasted, and a table that is cut off or empty comes back with what was given', async () => {
    const ana = await newProvider();
    const start = await ana.browser.get(path);
    const cut = await submit(ana, start, { file: fileOf('name,note\nMaya,"She said'), intent: 'read' });
    expectPage(cut, 400, 'cut off: row 2');
    expect(cut.$('textarea[name=text]')?.text).toContain('Maya,"She said');
    expectPage(await submit(ana, start, { text: '', intent: 'read' }), 400, 'Choose a file, or paste a table.');
    const columns = await submit(ana, cut, { text: 'name;note\nMaya;Tea', intent: 'read' });
    expect(chosen(columns)).toEqual(['name', 'note']);
  });

  test('of a long table are shown and brought along a hundred rows a request, which says how far it is', async () => {
    const ana = await newProvider();
    const rows = Array.from({ length: 230 }, (_, row) => `Person ${row},p${row}@mail.test,,,`);
    rows[3] = 'Nobody,not an address,,,';
    rows[5] = 'Person 5,p5@mail.test,2027-03-04,10:00,60';
    rows[150] = 'Late,late@mail.test,2027-03-04,10:30,30';
    rows[160] = 'Person 5 again,P5@mail.test,2027-03-04,10:00,60';
    const text = `name,email,date,start,minutes\n${rows.join('\n')}`;
    const columns = await submit(ana, await ana.browser.get(path), { text, intent: 'read' });
    const first = await submit(ana, columns, { intent: 'preview' });
    expect(first.words).toContain('Rows 1 to 100 of 230');
    const second = await submit(ana, first, { intent: 'preview' });
    expect(second.words).toMatch(
      /Rows 101 to 200 of 230.*Late Row 152 Left out: Something else is at that time\..*Person 5 again Row 162 You have/s,
    );
    const last = await submit(ana, second, { intent: 'preview' });
    expect(last.words).toMatch(
      /Rows 201 to 230 of 230.*New 227 There already 1 Left out 2 .*appointments 2 .*Person 229/s,
    );
    expect(last.words).toMatch(/Nobody Row 5 Left out.*Late Row 152 Left out/s);
    expect(last.words).not.toContain('Look at the next rows');
    // However far the reader has looked, all rows come along.
    const begun = await submit(ana, second, { intent: 'import' });
    expectPage(begun, 200, '100 of 230 rows are done.');
    expect(begun.$('progress')?.getAttribute('value')).toBe('100');
    const halfway = await submit(ana, begun, { intent: 'import' });
    expectPage(halfway, 200, '200 of 230 rows are done.');
    for (const sums of [/New 227 There already 1 Left out 2 /, /There already 31 Left out 2 /]) {
      const done = await submit(ana, halfway, { intent: 'import' });
      expect(done.words).toMatch(sums);
      expect(done.words).toMatch(/Nobody Row 5 Left out: That is no e-mail address\..*Late Row 152 Left out/s);
      expect(done.words).not.toContain('Person 229');
    }
    const stored = 'SELECT count(*) AS many FROM people JOIN accounts ON accounts.id = provider_id WHERE username = ?';
    expect(await daybook.d1.prepare(stored).bind(ana.username).first()).toEqual({ many: 227 });
    // Whoever changes what the form carries sees no sums of earlier rows, and nothing else happens.
    const changed = await submit(ana, halfway, { intent: 'import', before: '{"new":"many"}', done: '9999' });
    expectPage(changed, 200, 'Your clients are here.');
  });

  test('are for providers, up to 2 MiB, and whatever is larger is refused in words', async () => {
    const [ana, maya] = await Promise.all([newProvider(), newConsumer()]);
    const text = `name\n${'x'.repeat(2 * 1024 * 1024)}`;
    expect((await submit(maya, null, { text: 'name\nTomas', intent: 'import' })).status).toBe(403);
    for (const who of [ana, maya]) {
      const refused = await submit(who, null, { file: fileOf(text), intent: 'read' });
      expectPage(refused, 413, 'This form is larger than we can take, so nothing was done.');
    }
    const pasted = await submit(ana, await ana.browser.get(path), { text, intent: 'read' });
    expectPage(pasted, 400, 'The table is larger than 2 MiB. Please split it.');
  });
});
