import { describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { isoAhead, type Person, peopleAt } from '../../support/factories';
import { expectPage, fileOf, importPath, submitImport } from '../../support/import-forms';
import { cardsOf, importTable } from '../../support/people';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* What the columns of a brought table are: found by a call, and shown and corrected on the screen without script. */

const { newProvider } = peopleAt(useServer());

const bookersOf = async (who: Person) => (await agenda(who)).map(({ bookerName }) => bookerName);

/** The step of the screen in which a provider says what the columns of a table are. */
async function columnsPage(text: string) {
  const ana = await newProvider();
  const page = await submitImport(ana, await ana.browser.get(importPath), { file: fileOf(text), intent: 'read' });
  return { ana, page };
}
const chosenIn = (page: Page) =>
  page.$$('main select[name^=column] option[selected]').map((option) => option.getAttribute('value'));

const bookedTable = () =>
  [
    'Client,Date,Start,Minutes,Status',
    `Maya,${isoAhead(3)},10:00,30,Booked`,
    `Tomas,${isoAhead(3)},11:00,30,Late Cancelled`,
    `Eva,${isoAhead(3)},12:00,30,Waiting`,
  ].join('\n');

describe('a row that says it is canceled', () => {
  test('brings a person without an appointment', async () => {
    const ana = await newProvider();

    const { rows } = await importTable(ana, bookedTable());

    expect(rows.map(({ fate, why }) => [fate, why])).toEqual([
      ['new', null],
      ['new', 'Canceled: no appointment.'],
      ['new', null],
    ]);
    expect(await bookersOf(ana)).toEqual(['Maya', 'Eva']);
  });

  test('is one of the words that the screen shows', async () => {
    const { ana, page } = await columnsPage(bookedTable());

    const preview = await submitImport(ana, page, { intent: 'preview' });

    expectPage(preview, 200, /Taken as booked: Booked \(1\) · Waiting \(1\) Taken as canceled: Late Cancelled \(1\)/);
    expectPage(preview, 200, /Tomas Row 3 New\. Canceled: no appointment\./);
  });

  test('is what the provider says', async () => {
    const { ana, page } = await columnsPage(bookedTable());
    const waiting = page.$$('input[name=canceled]').find((box) => box.getAttribute('value')?.includes('Waiting'));

    const preview = await submitImport(ana, page, {
      intent: 'preview',
      canceled: waiting?.getAttribute('value') ?? '',
    });
    await submitImport(ana, preview, { intent: 'import' });

    expect(await bookersOf(ana)).toEqual(['Maya', 'Tomas']);
  });
});

describe('the row with the heads', () => {
  const report = 'Clients of the year\nMade in November\n\nWho,Reach\nMaya,maya@mail.test\n';
  const titled = report.replace('Who,Reach', 'Name,E-mail');

  test('is found below a title', async () => {
    const ana = await newProvider();

    await importTable(ana, titled);

    expect(await cardsOf(ana)).toMatchObject([{ name: 'Maya', email: 'maya@mail.test' }]);
  });

  test('is the one that a call names', async () => {
    const ana = await newProvider();

    await importTable(ana, 'Name,Phone\nName,E-mail\nMaya,maya@mail.test', 'preview=false&head=2');

    expect(await cardsOf(ana)).toMatchObject([{ name: 'Maya', email: 'maya@mail.test' }]);
  });

  test.each([
    ['9', /has no row 9/],
    ['0', /must be 1 to 20/],
  ])('can’t be %s', async (head, words) => {
    const { status, json } = await importTable(await newProvider(), titled, `preview=true&head=${head}`);

    expect(status).toBe(400);
    expect(JSON.stringify(json)).toMatch(words);
  });

  test('is the one that the screen’s reader chooses', async () => {
    const { ana, page } = await columnsPage(report);

    const again = await submitImport(ana, page, { intent: 'preview', head: '3' });
    const preview = await submitImport(ana, again, { intent: 'preview', column0: 'name' });
    await submitImport(ana, preview, { intent: 'import' });

    expect(chosenIn(again)).toEqual(['', 'email']);
    expect(await cardsOf(ana)).toMatchObject([{ name: 'Maya', email: 'maya@mail.test' }]);
  });
});

describe('the screen of the columns', () => {
  test('takes several columns of numbers', async () => {
    const { ana, page } = await columnsPage('Name,Home Phone,Mobile\nMaya,555 100,\nTomas,555 200,900 300');

    const preview = await submitImport(ana, page, { intent: 'preview' });
    await submitImport(ana, preview, { intent: 'import' });

    expect(chosenIn(page)).toEqual(['name', 'phone', 'phone']);
    expect(await cardsOf(ana)).toMatchObject([{ phone: '555 100' }, { phone: '900 300' }]);
  });

  test('takes one column of notes', async () => {
    const { ana, page } = await columnsPage('Name,Notes,Comments\nMaya,tea,shy');

    const refused = await submitImport(ana, page, { intent: 'preview', column2: 'note' });

    expectPage(refused, 400, 'Another column has that already.');
  });
});

describe('the preview', () => {
  test('shows what lands where', async () => {
    const { ana, page } = await columnsPage(
      `Name,E-mail,Phone,Notes,Date,Start,Minutes\nMaya,maya@mail.test,900 111,tea,${isoAhead(3)},10:00,45`,
    );

    const preview = await submitImport(ana, page, { intent: 'preview' });

    expectPage(
      preview,
      200,
      /Name Maya E-mail maya@mail\.test Phone 900 111 Note tea Date and start .*10:00.* Length 45 minutes/,
    );
  });

  test('names the columns that are ignored', async () => {
    const { ana, page } = await columnsPage('Name,Company,Fax,Suffix\nMaya,Acme,555,');

    const preview = await submitImport(ana, page, { intent: 'preview' });

    expectPage(preview, 200, /Columns that are ignored: Company · Fax (?!·)/);
  });
});
