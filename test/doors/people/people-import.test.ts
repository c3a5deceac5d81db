import { describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { book, dayAhead, isoAhead, type Person, peopleAt, publishOne } from '../../support/factories';
import { cardsOf, importTable as send } from '../../support/people';
import { useServer } from '../../support/use-server';
import { Page } from '../../support/visit';

/* People and coming appointments that a provider brings along as a table: by a call, and on the screen without script. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const booked = async (who: Person) =>
  (await agenda(who)).map(({ bookerName, date, startTime, endTime }) => [bookerName, date, startTime, endTime]);
const cards = async (who: Person) =>
  (await cardsOf(who)).map(({ name, email, phone, note }) => [name, email, phone, note]);

describe('a table of people', () => {
  test('is previewed, brought along once, and changes nothing when it is sent again, also twice at once', async () => {
    const ana = await newProvider();
    const file = `Name,E-mail,Phone,Note,Date,Start,Minutes\r\n"Ek, Maya",maya@mail.test,+351 900 111,"Likes ""short""\nhair",${isoAhead(3)},10:00,45\r\nTomas,,555 123,,,,\r\nNo Way,not an address,,,,,\r\n`;
    const outcome = { new: 2, merged: 0, refused: 1, appointments: 1 };
    const preview = await send(ana, file, 'preview=true');
    expect([preview.status, preview.counts, preview.fates]).toEqual([200, outcome, ['new', 'new', 'refused']]);
    expect(preview.rows[2]).toMatchObject({ row: 4, why: 'That is no e-mail address.' });
    expect(await cards(ana)).toEqual([]);
    const first = await Promise.all([send(ana, file), send(ana, file)]);
    expect(first.map(({ counts }) => counts)).toContainEqual(outcome);
    expect((await send(ana, file)).counts).toEqual({ ...outcome, new: 0, merged: 2 });
    expect(await cards(ana)).toEqual([
      ['Ek, Maya', 'maya@mail.test', '+351 900 111', 'Likes "short"\nhair'],
      ['Tomas', null, '555 123', null],
    ]);
    expect(await booked(ana)).toEqual([['Ek, Maya', dayAhead(3), '10:00', '10:45']]);
    expect(await daybook.d1.prepare('SELECT count(*) AS told FROM messages').first()).toEqual({ told: 0 });
  });

  test('is read with a byte-order mark, semicolons, Latin-1 and formulas in its cells', async () => {
    const ana = await newProvider();
    await send(ana, '\uFEFFName;Telefon\r\n=HYPERLINK("x");123 45\r\n');
    await send(ana, Uint8Array.from([...'name\nJos'].map((sign) => sign.charCodeAt(0)).concat(0xe9)));
    // What Daybook itself wrote comes back as it was.
    await send(ana, (await ana.browser.get('/people/people.csv')).text);
    expect((await cards(ana)).map(([name]) => name)).toEqual(['=HYPERLINK("x")', 'José']);
  });

  test.each([
    [
      'of a scheduler, with all names and the date and time in one cell',
      'Invitee Name,Invitee First Name,Start Date & Time,End Date & Time\nMaya Ek,Maya,2027-03-04 02:30 pm,2027-03-04 03:15 pm',
      '15:15',
    ],
    ['of a spreadsheet', 'Name;Datum;Uhrzeit;Dauer\nMaya Ek;04.03.2027 00:00:00;14.30;0:45', '15:15'],
    ['that ends after midnight', 'name,start,end\nMaya Ek,2027-03-04 14:30,2027-03-05 00:30', '00:30'],
  ])('%s is read as it is', async (_, file, end) => {
    const ana = await newProvider();
    expect((await send(ana, file)).fates).toEqual(['new']);
    expect(await booked(ana)).toEqual([['Maya Ek', '03-04-2027', '14:30', end]]);
  });

  test('is refused whole where it is cut off, too long or has no names, and a date that can be two days is asked about', async () => {
    const ana = await newProvider();
    const tooMany = `name\n${Array.from({ length: 2001 }, (_, row) => `Person ${row}`).join('\n')}`;
    const twoDays = 'name,date,start,minutes\nMaya,3/4/2027,10:00,30';
    for (const [file, words] of [
      ['name,note\nMaya,"She said', /cut off: row 2/],
      [tooMany, /2,001 rows/],
      ['what\nMaya', /which column has the names/],
      [twoDays, /can be two days/],
    ] as const) {
      const answer = await send(ana, file);
      expect([answer.status, JSON.stringify(answer.json)]).toEqual([400, expect.stringMatching(words)]);
    }
    await send(ana, twoDays, 'preview=false&dates=dmy');
    expect(await booked(ana)).toEqual([['Maya', '04-03-2027', '10:00', '10:30']]);
  });

  test('books nothing over what is there, and leaves what is booked as it is', async () => {
    const [ana, maya] = [await newProvider(), await newConsumer()];
    const day = { dates: [dayAhead(3)] };
    await book(maya, await publishOne(ana, { ...day, start: '10:00', end: '10:30' }));
    await publishOne(ana, { ...day, start: '10:30', end: '11:00' });
    const wanted = ['Tomas,09:45,30', 'Eva,10:30,30', 'Uli,12:00,60', 'Otto,12:30,30', 'Nils,09:50,10'];
    const lines = wanted.map((line) => `${line},${isoAhead(3)}`);
    const { fates } = await send(ana, ['name,start,minutes,date', ...lines].join('\n'));
    expect(fates).toEqual(['refused', 'new', 'new', 'refused', 'new']);
    expect((await booked(ana)).map(([name]) => name)).toEqual(['Nils', maya.displayName, 'Eva', 'Uli']);
  });

  test('of 2,000 rows, each with an appointment, comes along in one request', async () => {
    const ana = await newProvider();
    const lines = Array.from({ length: 2000 }, (_, row) => {
      const start = new Date(Date.UTC(2000, 0, 1, 8, (row % 40) * 15)).toISOString().slice(11, 16);
      return `Person ${row},p${row}@mail.test,${isoAhead(2 + Math.floor(row / 40))},${start},15`;
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
const fileOf = (text: string) => new File([text], 'clients.csv', { type: 'text/csv' });
const expectPage = (page: Page, status: number, words: string | RegExp) =>
  expect([page.status, page.words]).toEqual([status, expect.stringMatching(words)]);

describe('clients', () => {
  test('are brought along from a file: columns, dates, preview, import, and once only', async () => {
    const ana = await newProvider();
    const start = await (await ana.browser.get('/people')).click('Bring your clients along');
    const cut = await submit(ana, start, { file: fileOf('name,note\nMaya,"She said'), intent: 'read' });
    expectPage(cut, 400, 'cut off: row 2');
    expect(cut.$('textarea[name=text]')?.text).toContain('Maya,"She said');
    const file = 'Who,E-mail,Date,Start,Minutes\n"Ek, Maya",maya@mail.test,3/4/2027,10:00,45\nTomas,no address,,,\n';
    const columns = await submit(ana, start, { file: fileOf(file), intent: 'read' });
    const asked = await submit(ana, columns, { intent: 'preview', column0: 'name' });
    expectPage(asked, 400, 'Some dates can be two days.');
    const preview = await submit(ana, asked, { intent: 'preview', dates: 'dmy' });
    expectPage(preview, 200, /nobody is mailed.*Tomas.*Left out: That is no e-mail address\..*Ek, Maya.*New/s);
    expect(await cards(ana)).toHaveLength(0);
    for (const words of ['Nobody was mailed.', 'You have them already']) {
      expectPage(await submit(ana, preview, { intent: 'import' }), 200, words);
    }
    expect(await booked(ana)).toEqual([['Ek, Maya', '04-03-2027', '10:00', '10:45']]);
  });

  test('of a long table are shown and brought along a hundred rows a request, which says how far it is', async () => {
    const ana = await newProvider();
    const rows = Array.from({ length: 130 }, (_, row) => `Person ${row},p${row}@mail.test`);
    rows[3] = 'Nobody,not an address';
    rows[110] = 'Person 5 again,P5@mail.test';
    const text = `name,email\n${rows.join('\n')}`;
    const columns = await submit(ana, await ana.browser.get(path), { text, intent: 'read' });
    const first = await submit(ana, columns, { intent: 'preview' });
    expectPage(first, 200, 'Rows 1 to 100 of 130');
    const last = await submit(ana, first, { intent: 'preview' });
    expectPage(last, 200, /Rows 101 to 130 of 130.*New 128 There already 1 Left out 1 .*Nobody Row 5 Left out/s);
    const begun = await submit(ana, first, { intent: 'import' });
    expectPage(begun, 200, '100 of 130 rows are done.');
    for (const sums of [/New 128 There already 1 Left out 1 /, /There already 30 Left out 1 /])
      expectPage(await submit(ana, begun, { intent: 'import' }), 200, sums);
  });

  test('are for providers, up to 2 MiB, and whatever is larger is refused in words', async () => {
    const [ana, maya] = await Promise.all([newProvider(), newConsumer()]);
    const text = `name\n${'x'.repeat(2 * 1024 * 1024)}`;
    expect((await submit(maya, null, { text: 'name\nTomas', intent: 'import' })).status).toBe(403);
    const refused = await submit(ana, null, { file: fileOf(text), intent: 'read' });
    expectPage(refused, 413, 'This form is larger than we can take, so nothing was done.');
    const pasted = await submit(ana, await ana.browser.get(path), { text, intent: 'read' });
    expectPage(pasted, 400, 'The table is larger than 2 MiB. Please split it.');
  });
});
