import { describe, expect, test } from 'vitest';
import { type Person, peopleAt, rowsOf } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { Page } from '../../support/visit';

/* The screens that bring people along from a table, without script. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const path = '/people/import';
type Given = Record<string, string | File>;

/** Sends a form as a browser does: with the hidden fields and choices of the page, unless others are given. */
async function send(who: Person, page: Page | null, given: Given): Promise<Page> {
  const form = new FormData();
  for (const field of page?.$$('main form[method=post] input, main form[method=post] textarea') ?? []) {
    const [name, value] = [field.getAttribute('name'), field.getAttribute('value') ?? field.text];
    if (name && field.getAttribute('type') !== 'file' && !(name in given)) form.append(name, value);
  }
  for (const select of page?.$$('main form select') ?? []) {
    const name = select.getAttribute('name') ?? '';
    if (!(name in given)) form.append(name, select.querySelector('option[selected]')?.getAttribute('value') ?? '');
  }
  for (const [name, value] of Object.entries(given)) form.append(name, value);
  const headers = { Cookie: who.browser.cookies.header(path) ?? '', 'Sec-Fetch-Site': 'same-origin' };
  const answer = await fetch(new URL(path, who.browser.url), { method: 'POST', headers, body: form });
  return new Page(who.browser, {
    status: answer.status,
    url: answer.url,
    headers: answer.headers,
    text: await answer.text(),
  });
}
const fileOf = (text: BlobPart) => new File([text], 'clients.csv', { type: 'text/csv' });
const chosen = (page: Page) =>
  page.$$('main select').map((select) => select.querySelector('option[selected]')?.getAttribute('value'));

describe('clients', () => {
  test('are brought along from a file: columns, dates, preview, import, and once only', async () => {
    const ana = await newProvider();
    const empty = await ana.browser.get('/people');
    const start = await empty.click('Bring your clients along');
    const file =
      'Who,E-mail,Date,Start,Minutes\r\n"Ek, Maya",maya@mail.test,3/4/2027,10:00,45\r\nTomas,no address,,,\r\n';
    const columns = await send(ana, start, { file: fileOf(file), intent: 'read' });
    expect([columns.status, chosen(columns).slice(0, 5)]).toEqual([200, ['', 'email', 'date', 'start', 'minutes']]);
    const nameless = await send(ana, columns, { intent: 'preview' });
    expect([nameless.status, nameless.words]).toEqual([
      400,
      expect.stringContaining('Say which column has the names.'),
    ]);
    const asked = await send(ana, nameless, { intent: 'preview', column0: 'name' });
    expect([asked.status, chosen(asked)[0], asked.words]).toEqual([
      400,
      'name',
      expect.stringContaining('Some dates can be two days.'),
    ]);
    const preview = await send(ana, asked, { intent: 'preview', dates: 'dmy' });
    expect([preview.status, preview.words]).toEqual([200, expect.stringContaining('nobody is mailed')]);
    expect(preview.words).toMatch(/Tomas[\s\S]*Left out: That is no e-mail address\.[\s\S]*Ek, Maya[\s\S]*New/);
    const cards = async () => rowsOf(await ana.api('GET', '/api/People/GetPage')).length;
    expect(await cards()).toBe(0);
    const done = await send(ana, preview, { intent: 'import' });
    expect([done.status, done.words]).toEqual([200, expect.stringContaining('Nobody was mailed.')]);
    expect(done.$('main a[href="/people"]')).not.toBeNull();
    const again = await send(ana, preview, { intent: 'import' });
    expect([again.status, again.words]).toEqual([200, expect.stringContaining('You have them already')]);
    expect(await cards()).toBe(1);
    expect(rowsOf(await ana.api('GET', '/api/Appointment/GetBooked')).map(({ date }) => date)).toEqual(['04-03-2027']);
    const back = await send(ana, preview, { intent: 'read' });
    expect(chosen(back)[0]).toBe('name');
  });

  test('are pasted, and a table that is cut off or empty comes back with what was given', async () => {
    const ana = await newProvider();
    const start = await ana.browser.get(path);
    const cut = await send(ana, start, { file: fileOf('name,note\nMaya,"She said'), intent: 'read' });
    expect([cut.status, cut.words]).toEqual([400, expect.stringContaining('cut off: row 2')]);
    expect(cut.$('textarea[name=text]')?.text).toContain('Maya,"She said');
    const none = await send(ana, start, { text: '', intent: 'read' });
    expect([none.status, none.words]).toEqual([400, expect.stringContaining('Choose a file, or paste a table.')]);
    const columns = await send(ana, cut, { text: 'name;note\nMaya;Tea', intent: 'read' });
    expect(chosen(columns)).toEqual(['name', 'note']);
  });

  test('of a long table are shown and brought along a hundred rows a request, which says how far it is', async () => {
    const ana = await newProvider();
    const rows = Array.from({ length: 230 }, (_, row) => `Person ${row},p${row}@mail.test,,,`);
    rows[3] = 'Nobody,not an address,,,';
    rows[5] = 'Person 5,p5@mail.test,2027-03-04,10:00,60';
    rows[150] = 'Late,late@mail.test,2027-03-04,10:30,30';
    rows[160] = 'Person 5 again,P5@mail.test,2027-03-04,10:00,60';
    const start = await ana.browser.get(path);
    const columns = await send(ana, start, {
      text: `name,email,date,start,minutes\n${rows.join('\n')}`,
      intent: 'read',
    });
    const first = await send(ana, columns, { intent: 'preview' });
    expect(first.words).toContain('Rows 1 to 100 of 230');
    const second = await send(ana, first, { intent: 'preview' });
    expect(second.words).toContain('Rows 101 to 200 of 230');
    expect(second.words).toMatch(
      /Late Row 152 Left out: Something else is at that time\..*Person 5 again Row 162 You have/s,
    );
    const last = await send(ana, second, { intent: 'preview' });
    expect(last.words).toMatch(
      /Rows 201 to 230 of 230.*New 227 There already 1 Left out 2 .*appointments 2 .*Person 229/s,
    );
    expect(last.words).toMatch(/Nobody Row 5 Left out.*Late Row 152 Left out/s);
    expect(last.words).not.toContain('Look at the next rows');
    // However far the reader has looked, all rows come along.
    const begun = await send(ana, second, { intent: 'import' });
    expect(begun.words).toContain('100 of 230 rows are done.');
    expect(begun.$('progress')?.getAttribute('value')).toBe('100');
    const halfway = await send(ana, begun, { intent: 'import' });
    expect(halfway.words).toContain('200 of 230 rows are done.');
    for (let times = 0; times < 2; times++) {
      const done = await send(ana, halfway, { intent: 'import' });
      expect(done.words).toMatch(times === 0 ? /New 227 There already 1 Left out 2 / : /There already 31 Left out 2 /);
      expect(done.words).toMatch(/Nobody Row 5 Left out: That is no e-mail address\..*Late Row 152 Left out/s);
      expect(done.words).not.toContain('Person 229');
    }
    const { results } = await daybook.d1
      .prepare('SELECT count(*) AS many FROM people JOIN accounts ON accounts.id = provider_id WHERE username = ?')
      .bind(ana.username)
      .all();
    expect(results).toEqual([{ many: 227 }]);
    // Whoever changes what the form carries sees no sums of earlier rows, and nothing else happens.
    const changed = await send(ana, halfway, { intent: 'import', before: '{"new":"many"}', done: '9999' });
    expect([changed.status, changed.words]).toEqual([200, expect.stringContaining('Your clients are here.')]);
  });

  test('are for providers, up to 2 MiB, and whatever is larger is refused in words', async () => {
    const [ana, maya] = [await newProvider(), await newConsumer()];
    const text = `name\n${'x'.repeat(2 * 1024 * 1024)}`;
    expect((await send(maya, null, { text: 'name\nTomas', intent: 'import' })).status).toBe(403);
    for (const who of [ana, maya]) {
      const refused = await send(who, null, { file: fileOf(text), intent: 'read' });
      expect([refused.status, refused.words]).toEqual([
        413,
        expect.stringContaining('This form is larger than we can take, so nothing was done.'),
      ]);
    }
    const pasted = await send(ana, await ana.browser.get(path), { text, intent: 'read' });
    expect([pasted.status, pasted.words]).toEqual([
      400,
      expect.stringContaining('The table is larger than 2 MiB. Please split it.'),
    ]);
  });
});
