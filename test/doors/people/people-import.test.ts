import { describe, expect, test } from 'vitest';
import { askedOf } from '../../support/asked';
import { dayAhead, localDate, type Person, peopleAt, publish, type Row, rowsOf } from '../../support/factories';
import { useServer } from '../../support/use-server';

/* People and coming appointments that a provider brings along as a table. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const iso = (days: number) => localDate({ date: dayAhead(days) } as Row);

type Imported = {
  new: number;
  merged: number;
  refused: number;
  appointments: number;
  rows: { row: number; fate: string; why: string | null }[];
};
async function send(who: Person, file: string | Uint8Array, query = 'preview=false') {
  const path = '/api/People/Import';
  const headers = { 'Content-Type': 'text/csv', Cookie: who.browser.cookies.header(path) ?? '' };
  const url = new URL(`${path}?${query}`, who.browser.url);
  const response = await fetch(url, { method: 'POST', headers, body: file as BodyInit });
  return { status: response.status, headers: response.headers, json: (await response.json()) as Imported };
}
const counts = ({ json: { rows: _, ...numbers } }: { json: Imported }) => numbers;
const booked = async (who: Person) =>
  rowsOf(await who.api('GET', '/api/Appointment/GetBooked')).map(({ bookerName, startTime, endTime }) => [
    bookerName,
    startTime,
    endTime,
  ]);
const cards = async (who: Person) =>
  (rowsOf(await who.api('GET', '/api/People/GetPage')) as unknown as Record<string, unknown>[]).map(
    ({ name, email, phone, note }) => [name, email, phone, note],
  );

describe('a table of people', () => {
  test('is previewed, brought along once, and changes nothing when it is sent again', async () => {
    const ana = await newProvider();
    const file = `Name,E-mail,Phone,Note,Date,Start,Minutes\r\n"Ek, Maya",maya@mail.test,+351 900 111,"Likes ""short""\nhair",${iso(3)},10:00,45\r\nTomas,,555 123,,,,\r\nNo Way,not an address,,,,,\r\n`;
    const preview = await send(ana, file, 'preview=true');
    expect([preview.status, counts(preview)]).toEqual([200, { new: 2, merged: 0, refused: 1, appointments: 1 }]);
    expect(preview.json.rows.map(({ row, fate, why }) => [row, fate, why])).toEqual([
      [2, 'new', null],
      [3, 'new', null],
      [4, 'refused', 'That is no e-mail address.'],
    ]);
    expect(await cards(ana)).toEqual([]);
    expect(counts(await send(ana, file))).toEqual({ new: 2, merged: 0, refused: 1, appointments: 1 });
    const wanted = [
      ['Ek, Maya', 'maya@mail.test', '+351 900 111', 'Likes "short"\nhair'],
      ['Tomas', null, '555 123', null],
    ];
    expect(await cards(ana)).toEqual(wanted);
    expect(await booked(ana)).toEqual([['Ek, Maya', '10:00', '10:45']]);
    const again = await Promise.all([send(ana, file), send(ana, file)]);
    for (const one of again) expect(counts(one)).toEqual({ new: 0, merged: 2, refused: 1, appointments: 1 });
    expect(await cards(ana)).toEqual(wanted);
    expect(await booked(ana)).toHaveLength(1);
    const { results } = await daybook.d1.prepare('SELECT count(*) AS told FROM messages').all();
    expect(results).toEqual([{ told: 0 }]);
  });

  test('sent twice at once is brought along once', async () => {
    const ana = await newProvider();
    const file = `name;email;date;start;minutes\nMaya;m@mail.test;${iso(3)};10:00;30\nTomas;;${iso(3)};11:00;30`;
    await Promise.all([send(ana, file), send(ana, file)]);
    expect(await cards(ana)).toHaveLength(2);
    expect(await booked(ana)).toHaveLength(2);
  });

  test('is read with a byte-order mark, semicolons, Latin-1 and formulas in its cells', async () => {
    const ana = await newProvider();
    await send(ana, '\uFEFFName;Telefon\r\n=HYPERLINK("x");123 45\r\n');
    await send(ana, Uint8Array.from([...'name\nJos'].map((sign) => sign.charCodeAt(0)).concat(0xe9)));
    expect((await cards(ana)).map(([name]) => name)).toEqual(['=HYPERLINK("x")', 'José']);
    const { text } = await ana.browser.get('/people/people.csv');
    expect(text).toContain(`'=HYPERLINK`);
    await send(ana, text);
    expect(await cards(ana)).toHaveLength(2);
  });

  test.each([
    [
      'of an appointment book, with first and last names',
      'Start Time,End Time,First Name,Last Name,Phone,Email\n"March 4, 2027 2:30 pm","March 4, 2027 3:15 pm",Maya,Ek,555 123,maya@mail.test',
    ],
    [
      'of a scheduler, with all names and the date and time in one cell',
      'Invitee Name,Invitee First Name,Invitee Last Name,Invitee Email,Start Date & Time,End Date & Time\nMaya Ek,Maya,Ek,maya@mail.test,2027-03-04 02:30 pm,2027-03-04 03:15 pm',
    ],
    ['of a calendar', 'Name\tDate\tFrom\tUntil\nMaya Ek\t4 March 2027\t14:30\t15:15'],
    ['of a spreadsheet', 'Name;Datum;Uhrzeit;Dauer\nMaya Ek;04.03.2027 00:00:00;14.30;0:45'],
  ])('%s is read as it is', async (_, file) => {
    const ana = await newProvider();
    const done = await send(ana, file);
    expect(done.json.rows.map(({ fate, why }) => [fate, why])).toEqual([['new', null]]);
    expect(await booked(ana)).toEqual([['Maya Ek', '14:30', '15:15']]);
    expect(rowsOf(await ana.api('GET', '/api/Appointment/GetBooked')).map(({ date }) => date)).toEqual(['03-04-2027']);
  });

  test.each(['3/14/2027 12:00:00 AM', '2027-03-14T00:00:00.000'])(
    'has no appointment on a date that a program wrote with a midnight of its own, %s',
    async (date) => {
      const done = await send(await newProvider(), `name,date,minutes\nMaya,${date},30`);
      expect(counts(done)).toEqual({ new: 1, merged: 0, refused: 0, appointments: 0 });
    },
  );

  test.each([
    ['an hour past midnight', '2027-03-05 00:30', ['22:30', '00:30']],
    ['a day and an hour later, which is too long', '2027-03-05 23:30', undefined],
    ['before it begins', '2027-03-03 23:30', undefined],
  ])('has an appointment that ends %s', async (_, end, times) => {
    const ana = await newProvider();
    const done = await send(ana, `name,start,end\nMaya,2027-03-04 22:30,${end}`);
    expect(done.json.rows.map(({ why }) => why)).toEqual([times ? null : 'The length must be 5 to 1,440 minutes.']);
    expect(await booked(ana)).toEqual(times ? [['Maya', ...times]] : []);
  });

  test('is refused whole where it is cut off, too long or has no names, and a date that can be two days is asked about', async () => {
    const ana = await newProvider();
    const rows = (many: number) => `name\n${Array.from({ length: many }, (_, row) => `Person ${row}`).join('\n')}`;
    for (const [file, words] of [
      ['name,note\nMaya,"She said', /cut off: row 2/],
      [rows(2001), /2,001 rows/],
      ['what\nMaya', /which column has the names/],
    ] as const) {
      const answer = await send(ana, file);
      expect([answer.status, JSON.stringify(answer.json)]).toEqual([400, expect.stringMatching(words)]);
    }
    const file = 'name,date,start,minutes\nMaya,3/4/2027,10:00,30';
    expect((await send(ana, file)).status).toBe(400);
    const preview = await send(ana, file, 'preview=true');
    expect(preview.json.rows[0]).toMatchObject({ fate: 'refused', why: expect.stringContaining('can be two days') });
    await send(ana, file, 'preview=false&dates=dmy');
    expect(rowsOf(await ana.api('GET', '/api/Appointment/GetBooked')).map(({ date }) => date)).toEqual(['04-03-2027']);
    expect((await send(ana, `name,note\nMaya,x\nTom`)).json.rows.at(-1)).toMatchObject({ fate: 'refused' });
  });

  test('books nothing over what is there, and leaves what is booked as it is', async () => {
    const ana = await newProvider();
    const maya = await newConsumer();
    const [slot] = (await publish(ana, { start: '10:00', end: '11:00', dates: [dayAhead(3)] })) as [Row];
    await maya.api('PUT', `/api/Appointment/Book?id=${slot.id}`);
    const file = `name,date,start,minutes\nTomas,${iso(3)},09:45,30\nEva,${iso(3)},10:30,30\nUli,${iso(3)},12:00,60\nOtto,${iso(3)},12:30,30\nNils,${iso(3)},09:50,10`;
    const done = await send(ana, file);
    expect(done.json.rows.map(({ fate }) => fate)).toEqual(['refused', 'new', 'new', 'refused', 'new']);
    expect((await booked(ana)).map(([name]) => name)).toEqual(['Nils', maya.displayName, 'Eva', 'Uli']);
  });

  test('of a hundred rows reads as much whether there are cards already or not', async () => {
    const ana = await newProvider();
    const rows = (from: number, mail: string) =>
      Array.from(
        { length: 100 },
        (_, row) => `Person ${from + row},${mail.replace('*', `${from + row}`)},5${from + row}`,
      );
    const file = (from: number, mail: string) => `name,email,phone\n${rows(from, mail).join('\n')}`;
    const read: number[] = [];
    for (const part of [1, 2, 3, 4, 5]) {
      const done = await send(ana, file(part * 100, 'p*@mail.test'));
      expect(counts(done)).toMatchObject({ new: 100 });
      read.push(askedOf(done.headers).read);
    }
    expect(Math.max(...read)).toBeLessThan((read[0] ?? 0) + 300);
    // By name and number.
    const nameless = await send(ana, file(900, ''));
    expect(askedOf(nameless.headers).read).toBeLessThan(2 * (read[0] ?? 0));
    expect((await cards(ana)).length).toBe(20);
  });

  test('of 2,000 rows, each with an appointment, comes along in one request', async () => {
    const ana = await newProvider();
    const lines = Array.from({ length: 2000 }, (_, row) => {
      const [day, slot] = [2 + Math.floor(row / 40), row % 40];
      const start = `${String(8 + Math.floor(slot / 4)).padStart(2, '0')}:${String((slot % 4) * 15).padStart(2, '0')}`;
      return `Person ${row},p${row}@mail.test,${iso(day)},${start},15`;
    });
    const done = await send(ana, `name,email,date,start,minutes\n${lines.join('\n')}`);
    expect([done.status, counts(done)]).toEqual([200, { new: 2000, merged: 0, refused: 0, appointments: 2000 }]);
  }, 60_000);
});
