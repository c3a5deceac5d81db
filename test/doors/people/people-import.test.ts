import { describe, expect, test } from 'vitest';
import { newsKinds } from '../../support/account-calls';
import { agenda } from '../../support/appointment-calls';
import { book, dayAhead, isoAhead, type Person, peopleAt, publishOne } from '../../support/factories';
import { expectPage, fileOf, importPath, submitImport } from '../../support/import-forms';
import { cardsOf, importTable } from '../../support/people';
import { useServer } from '../../support/use-server';

/* People and coming appointments that a provider brings along as a table: by a call, and on the screen without script. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const namesOf = async (who: Person) => (await cardsOf(who)).map(({ name }) => name);
const bookersOf = async (who: Person) => (await agenda(who)).map(({ bookerName }) => bookerName);

/** A day of next month, written 3/4/2027, that is a day whichever of its two numbers is the month. */
function dateOfTwoDays() {
  const now = new Date();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  const [month, year] = [next.getUTCMonth() + 1, next.getUTCFullYear()];
  const day = month === 3 ? 4 : 3;
  const asApi = [month, day].map((part) => String(part).padStart(2, '0')).join('-');
  return { slashed: `${day}/${month}/${year}`, dayFirst: `${asApi}-${year}` };
}

/** Two people, one of whom has an appointment in three days, and a row without a name. */
const clientTable = () =>
  [
    'Name,E-mail,Phone,Note,Date,Start,Minutes',
    `"Ek, Maya",maya@mail.test,+351 900 111,"Likes ""short""\nhair",${isoAhead(3)},10:00,45`,
    'Tomas,,555 123,,,,',
    ',nobody@mail.test,,,,,',
    '',
  ].join('\r\n');
const maya = { name: 'Ek, Maya', email: 'maya@mail.test', phone: '+351 900 111', note: 'Likes "short"\nhair' };
const tomas = { name: 'Tomas', email: null, phone: '555 123', note: null };
const outcome = { new: 2, merged: 0, refused: 1, appointments: 1 };

describe('a preview of a table', () => {
  test('says what would become of each row', async () => {
    const preview = await importTable(await newProvider(), clientTable(), 'preview=true');

    expect(preview.status).toBe(200);
    expect(preview.counts).toEqual(outcome);
    expect(preview.fates).toEqual(['new', 'new', 'refused']);
  });

  test('names the row that is refused and says why', async () => {
    const { rows } = await importTable(await newProvider(), clientTable(), 'preview=true');

    expect(rows[2]).toMatchObject({ row: 4, why: 'Name is missing.' });
  });

  test('imports nobody', async () => {
    const ana = await newProvider();

    await importTable(ana, clientTable(), 'preview=true');

    expect(await cardsOf(ana)).toEqual([]);
  });
});

describe('a table of people', () => {
  test('makes a card of each row that can be read', async () => {
    const ana = await newProvider();

    const { counts } = await importTable(ana, clientTable());

    expect(counts).toEqual(outcome);
    expect(await cardsOf(ana)).toMatchObject([maya, tomas]);
  });

  test('books the appointments in it', async () => {
    const ana = await newProvider();

    await importTable(ana, clientTable());

    const appointment = { bookerName: 'Ek, Maya', date: dayAhead(3), startTime: '10:00', endTime: '10:45' };
    expect(await agenda(ana)).toMatchObject([appointment]);
  });

  test('makes a card without a cell that can’t be read, and says so', async () => {
    const ana = await newProvider();

    const { fates, rows } = await importTable(ana, 'name,email,phone\nMaya,not an address,123 45\n');

    expect(fates).toEqual(['new']);
    expect(rows[0]).toMatchObject({ why: expect.stringContaining('“not an address” is left out') });
    expect(await cardsOf(ana)).toMatchObject([{ name: 'Maya', email: null, phone: '123 45' }]);
  });

  test('tells nobody of its appointments', async () => {
    const ana = await newProvider();
    const messages = daybook.d1.prepare('SELECT count(*) AS count FROM messages');
    const before = await messages.first('count');

    await importTable(ana, clientTable());

    expect(await newsKinds(ana)).toEqual([]);
    expect(await messages.first('count')).toBe(before);
  });

  test('that is sent again adds nothing', async () => {
    const ana = await newProvider();
    await importTable(ana, clientTable());

    const again = await importTable(ana, clientTable());

    expect(again.counts).toEqual({ ...outcome, new: 0, merged: 2 });
    expect(await cardsOf(ana)).toMatchObject([maya, tomas]);
    expect(await agenda(ana)).toHaveLength(1);
  });

  test('that is sent twice at once is imported once', async () => {
    const ana = await newProvider();

    const responses = await Promise.all([importTable(ana, clientTable()), importTable(ana, clientTable())]);

    expect(responses.map(({ counts }) => counts)).toContainEqual(outcome);
    expect(await cardsOf(ana)).toMatchObject([maya, tomas]);
    expect(await agenda(ana)).toHaveLength(1);
  });

  test.each<[file: string, text: string | Uint8Array, name: string]>([
    ['a byte-order mark', '\uFEFFName\r\nMaya\r\n', 'Maya'],
    ['semicolons', 'Name;Telefon\r\nMaya;123 45\r\n', 'Maya'],
    ['Latin-1', Uint8Array.from([...'name\nJos'].map((sign) => sign.charCodeAt(0)).concat(0xe9)), 'José'],
    ['UTF-16', Uint8Array.from(Buffer.from('name\tphone\nJosé\t123 45\n', 'utf16le')), 'José'],
    ['UTF-16 of other machines', Uint8Array.from(Buffer.from('name\nJosé\n', 'utf16le').swap16()), 'José'],
    ['a formula in a cell', 'Name\r\n=HYPERLINK("x")\r\n', '=HYPERLINK("x")'],
  ])('with %s is read', async (_, text, name) => {
    const ana = await newProvider();

    await importTable(ana, text);

    expect(await namesOf(ana)).toEqual([name]);
  });

  test('that Daybook wrote itself is read back as it was', async () => {
    const ana = await newProvider();
    await importTable(ana, 'Name;Telefon\r\n=HYPERLINK("x");123 45\r\n');
    const written = await ana.browser.get('/people/people.csv');

    const again = await importTable(ana, written.text);

    expect(again.counts).toMatchObject({ new: 0, merged: 1, refused: 0 });
    expect(await cardsOf(ana)).toMatchObject([{ name: '=HYPERLINK("x")', phone: '123 45' }]);
  });

  test('may have 2,000 rows with an appointment each', async () => {
    const ana = await newProvider();
    const lines = Array.from({ length: 2000 }, (_, row) => {
      const start = new Date(Date.UTC(2000, 0, 1, 8, (row % 40) * 15)).toISOString().slice(11, 16);
      return `Person ${row},p${row}@mail.test,${isoAhead(2 + Math.floor(row / 40))},${start},15`;
    });

    const { status, counts } = await importTable(ana, `name,email,date,start,minutes\n${lines.join('\n')}`);

    expect(status).toBe(200);
    expect(counts).toEqual({ new: 2000, merged: 0, refused: 0, appointments: 2000 });
  }, 60_000);

  test.each([
    ['is cut off inside of a quote', () => 'name,note\nMaya,"She said', /cut off: row 2/],
    [
      'has more than 2,000 rows',
      () => `name\n${Array.from({ length: 2001 }, (_, row) => `Person ${row}`).join('\n')}`,
      /2,001 rows/,
    ],
    ['has no names', () => 'what\nMaya', /which column has the names/],
    [
      'has dates that can be two days',
      () => `name,date,start,minutes\nMaya,${dateOfTwoDays().slashed},10:00,30`,
      /can be two days/,
    ],
  ])('that %s is refused whole', async (_, fileOf, words) => {
    const ana = await newProvider();

    const { status, json } = await importTable(ana, fileOf());

    expect(status).toBe(400);
    expect(JSON.stringify(json)).toMatch(words);
    expect(await cardsOf(ana)).toEqual([]);
  });

  test('whose dates can be two days is read in the order that its sender says', async () => {
    const ana = await newProvider();
    const { slashed, dayFirst } = dateOfTwoDays();

    await importTable(ana, `name,date,start,minutes\nMaya,${slashed},10:00,30`, 'preview=false&dates=dmy');

    expect(await agenda(ana)).toMatchObject([{ date: dayFirst, startTime: '10:00', endTime: '10:30' }]);
  });

  test('that is cut off in the middle of its last row leaves that row out', async () => {
    const ana = await newProvider();

    const { fates, rows } = await importTable(ana, 'name,phone,note\nMaya,123 45,Tea\nTomas,555');

    expect(fates).toEqual(['new', 'refused']);
    expect(rows[1]).toMatchObject({ row: 3, why: expect.stringContaining('cut off') });
    expect(await namesOf(ana)).toEqual(['Maya']);
  });
});

describe('the moment of an appointment in a table', () => {
  const [date, shownDate] = [isoAhead(40), dayAhead(40)];
  const slashed = date.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3.$2.$1');
  const inWords = new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

  test.each([
    ['in one cell with its date', `name,date & time,end\nMaya,${date} 14:30,15:15`, '14:30', '15:15'],
    [
      'in one cell with its date, by a clock of twelve hours',
      `Invitee Name,Start Date & Time,End Date & Time\nMaya,${date} 02:30 pm,${date} 03:15 pm`,
      '14:30',
      '15:15',
    ],
    [
      'with its date in words',
      `name,start time,end time\nMaya,"${inWords} 2:30 pm","${inWords} 3:15 pm"`,
      '14:30',
      '15:15',
    ],
    ['with dots and a length in hours', `Name;Datum;Uhrzeit;Dauer\nMaya;${slashed};14.30;0:45`, '14:30', '15:15'],
    ['after a date with a midnight', `Name;Datum;Uhrzeit;Dauer\nMaya;${slashed} 00:00:00;14.30;45`, '14:30', '15:15'],
    ['until the next date', `name,start,end\nMaya,${date} 14:30,${isoAhead(41)} 00:30`, '14:30', '00:30'],
    ['until after midnight without a date', `name,date,start,end\nMaya,${date},23:30,00:15`, '23:30', '00:15'],
    ['at half past noon', `name,date,start,minutes\nMaya,${date},12:30 pm,45`, '12:30', '13:15'],
    ['at half past midnight', `name,date,start,minutes\nMaya,${date},12:30 am,45`, '00:30', '01:15'],
  ])('is read %s', async (_, file, startTime, endTime) => {
    const ana = await newProvider();

    const { fates } = await importTable(ana, file);

    expect(fates).toEqual(['new']);
    expect(await agenda(ana)).toMatchObject([{ bookerName: 'Maya', date: shownDate, startTime, endTime }]);
  });

  test.each(['0:00', '00:00:00', '12:00:00 AM', '00:00:00.000'])(
    'is none where a program wrote %s after a date without a time',
    async (midnight) => {
      const ana = await newProvider();

      const { fates } = await importTable(ana, `name,date,start,minutes\nMaya,${date} ${midnight},,30`);

      expect(fates).toEqual(['new']);
      expect(await agenda(ana)).toEqual([]);
    },
  );

  test('may be a midnight in a column of times', async () => {
    const ana = await newProvider();

    await importTable(ana, `name,date,start,minutes\nMaya,${date},0:00,30`);

    expect(await agenda(ana)).toMatchObject([{ startTime: '00:00', endTime: '00:30' }]);
  });
});

test('a scheduler’s column of all names is taken for the name', async () => {
  const ana = await newProvider();

  await importTable(ana, 'Invitee Name,Invitee First Name\nMaya Ek,Maya');

  expect(await namesOf(ana)).toEqual(['Maya Ek']);
});

describe('an appointment in a table', () => {
  /** A provider with a booking at 10:00 and a free time at 10:30, in three days. */
  async function bookedProvider() {
    const [provider, client] = [await newProvider(), await newConsumer()];
    const day = { dates: [dayAhead(3)] };
    await book(client, await publishOne(provider, { ...day, start: '10:00', end: '10:30' }));
    await publishOne(provider, { ...day, start: '10:30', end: '11:00' });
    return { provider, client };
  }
  const importLines = (provider: Person, lines: string[]) =>
    importTable(provider, ['name,start,minutes,date', ...lines.map((line) => `${line},${isoAhead(3)}`)].join('\n'));

  test.each([
    ['over a booking is refused', 'Tomas,09:45,30', 'refused'],
    ['up to a booking is taken', 'Nils,09:50,10', 'new'],
    ['of a free time takes that', 'Eva,10:30,30', 'new'],
  ])('%s', async (_, line, fate) => {
    const { provider } = await bookedProvider();

    const { fates } = await importLines(provider, [line]);

    expect(fates).toEqual([fate]);
  });

  test('over an earlier row is refused', async () => {
    const { provider } = await bookedProvider();

    const { fates } = await importLines(provider, ['Uli,12:00,60', 'Otto,12:30,30']);

    expect(fates).toEqual(['new', 'refused']);
  });

  test('leaves what is booked as it is', async () => {
    const { provider, client } = await bookedProvider();

    await importLines(provider, ['Tomas,09:45,30', 'Eva,10:30,30', 'Uli,12:00,60', 'Otto,12:30,30', 'Nils,09:50,10']);

    expect(await bookersOf(provider)).toEqual(['Nils', client.displayName, 'Eva', 'Uli']);
  });
});

describe('the screen of the import', () => {
  const file = () =>
    `Who,E-mail,Date,Start,Minutes\n"Ek, Maya",maya@mail.test,${dateOfTwoDays().slashed},10:00,45\nTomas,no address,,,\n`;

  /** The step in which a provider says which column is which. */
  async function columnsPage() {
    const ana = await newProvider();
    const start = await (await ana.browser.get('/people')).click('Import your clients');
    return { ana, page: await submitImport(ana, start, { file: fileOf(file()), intent: 'read' }) };
  }
  async function previewPage() {
    const { ana, page } = await columnsPage();
    return { ana, page: await submitImport(ana, page, { intent: 'preview', column0: 'name', dates: 'dmy' }) };
  }

  test('gives back a table that is cut off', async () => {
    const ana = await newProvider();
    const start = await ana.browser.get(importPath);

    const cut = await submitImport(ana, start, { file: fileOf('name,note\nMaya,"She said'), intent: 'read' });

    expectPage(cut, 400, 'cut off: row 2');
    expect(cut.$('textarea[name=text]')?.text).toContain('Maya,"She said');
  });

  test('asks about dates that can be two days', async () => {
    const { ana, page } = await columnsPage();

    const question = await submitImport(ana, page, { intent: 'preview', column0: 'name' });

    expectPage(question, 400, 'Some dates can be two days.');
  });

  test('keeps the chosen columns while it asks about the dates', async () => {
    const { ana, page } = await columnsPage();
    const question = await submitImport(ana, page, { intent: 'preview', column0: 'name' });

    const preview = await submitImport(ana, question, { intent: 'preview', dates: 'dmy' });

    expectPage(preview, 200, /Ek, Maya.*New/s);
  });

  test('shows a preview before anybody is imported', async () => {
    const { ana, page } = await previewPage();

    expectPage(
      page,
      200,
      /nobody is mailed.*Tomas.*New\. The e-mail “no address” is left out: that is no e-mail address\..*Ek, Maya.*New/s,
    );
    expect(await cardsOf(ana)).toEqual([]);
  });

  test('imports what its preview shows', async () => {
    const { ana, page } = await previewPage();

    const done = await submitImport(ana, page, { intent: 'import' });

    expectPage(done, 200, 'Nobody was mailed.');
    const appointment = { bookerName: 'Ek, Maya', startTime: '10:00', endTime: '10:45' };
    expect(await agenda(ana)).toMatchObject([{ ...appointment, date: dateOfTwoDays().dayFirst }]);
  });

  test('imports a form that is sent twice once', async () => {
    const { ana, page } = await previewPage();
    await submitImport(ana, page, { intent: 'import' });

    const again = await submitImport(ana, page, { intent: 'import' });

    expectPage(again, 200, 'You have them already');
    expect(await bookersOf(ana)).toEqual(['Ek, Maya']);
  });

  test('is refused to a consumer', async () => {
    const refused = await submitImport(await newConsumer(), null, { text: 'name\nTomas', intent: 'import' });

    expect(refused.status).toBe(403);
  });
});

describe('a table of 130 people on the screen', () => {
  /** Its first preview. Row 5 can't be read, and row 112 is the person of row 7 again. */
  async function firstPreview() {
    const ana = await newProvider();
    const rows = Array.from({ length: 130 }, (_, row) => `Person ${row},p${row}@mail.test`);
    rows[3] = ',nobody@mail.test';
    rows[7] = 'Person 7,no address';
    rows[110] = 'Person 5 again,P5@mail.test';
    const text = `name,email\n${rows.join('\n')}`;
    const columns = await submitImport(ana, await ana.browser.get(importPath), { text, intent: 'read' });
    return { ana, page: await submitImport(ana, columns, { intent: 'preview' }) };
  }

  test('is previewed a hundred rows at a time', async () => {
    const { page } = await firstPreview();

    expectPage(page, 200, 'Rows 1 to 100 of 130');
  });

  test('is summed up in its last preview', async () => {
    const { ana, page } = await firstPreview();

    const last = await submitImport(ana, page, { intent: 'preview' });

    expectPage(last, 200, /Rows 101 to 130 of 130.*New 128 There already 1 Left out 1 .*No name Row 5 Left out/s);
  });

  test('still says after its last part what was left out of a person of the first', async () => {
    const { ana, page } = await firstPreview();

    const begun = await submitImport(ana, page, { intent: 'import' });
    const done = await submitImport(ana, begun, { intent: 'import' });

    expectPage(done, 200, 'Person 7 Row 9 New. The e-mail “no address” is left out');
  });

  test('is imported a hundred rows at a time', async () => {
    const { ana, page } = await firstPreview();

    const begun = await submitImport(ana, page, { intent: 'import' });
    const done = await submitImport(ana, begun, { intent: 'import' });

    expectPage(begun, 200, '100 of 130 rows are done.');
    expectPage(done, 200, /New 128 There already 1 Left out 1 /);
  });

  test('whose last rows are sent twice has them already', async () => {
    const { ana, page } = await firstPreview();
    const begun = await submitImport(ana, page, { intent: 'import' });
    await submitImport(ana, begun, { intent: 'import' });

    const again = await submitImport(ana, begun, { intent: 'import' });

    expectPage(again, 200, /There already 30 Left out 1 /);
  });
});

describe('a table of more than 2 MiB', () => {
  const text = `name\n${'x'.repeat(2 * 1024 * 1024)}`;

  test('is refused as a file', async () => {
    const refused = await submitImport(await newProvider(), null, { file: fileOf(text), intent: 'read' });

    expectPage(refused, 413, 'This form is larger than we can take, so nothing was done.');
  });

  test('is refused as text that was pasted', async () => {
    const ana = await newProvider();

    const refused = await submitImport(ana, await ana.browser.get(importPath), { text, intent: 'read' });

    expectPage(refused, 400, 'The table is larger than 2 MiB. Please split it.');
  });
});
