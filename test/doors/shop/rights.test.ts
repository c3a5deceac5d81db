import { beforeAll, describe, expect, test } from 'vitest';
import { bookPaths } from '../../../app/book-paths';
import { bookPages } from '../../support/book-pages';
import { type BookWorld, makeBookWorld, mayAct, mayNotAct, type ShopRole } from '../../support/every-book';
import { type ApiCall, added, addressOf, calls } from '../../support/every-route';
import { type Person, publishOne } from '../../support/factories';
import { entriesOf } from '../../support/forms';
import { openApi } from '../../support/openapi';
import { storedRows, useServer } from '../../support/use-server';
import { askedOf, type Page } from '../../support/visit';

/* Who may do what in whose book: every call and every page of a book, as everybody, in one's own, a colleague's and another shop's. */

const daybook = useServer();
let world: BookWorld;
beforeAll(async () => {
  world = await makeBookWorld(daybook);
});

const hasOf = ([method, call]: ApiCall) =>
  openApi().paths[call]?.[method.toLowerCase()]?.parameters.some(({ $ref }) => $ref?.endsWith('/Of')) === true;
const all = [...calls, ...added];
/** A provider books a series for one of their people. */
const forPerson = async ({ provider, person, newDay }: Parameters<NonNullable<ApiCall[3]>>[0]) => ({
  body: { ids: [(await publishOne(provider, { dates: [newDay()] })).id], personId: person },
});
const ofBook = all
  .filter(hasOf)
  .map(
    (row): ApiCall =>
      row[1] === '/api/Appointment/BookSeries' ? [row[0], row[1], [401, 404, 201, 404], forPerson] : row,
  );
/** What the table of all calls has for the provider alone. */
const named = ofBook.map((row) => [`${row[0]} ${row[1]}`, row] as const);

const inBookOf = (path: string, { username }: Person) => `${path}${path.includes('?') ? '&' : '?'}of=${username}`;
async function requestOf([method, call, , sends]: ApiCall) {
  const { path = '', body } = (await sends?.(world)) ?? {};
  return { method, path: `${addressOf(call)}${path}`, body };
}
/** A provider has thirty services at most. */
async function forgetServices() {
  for (const who of [world.provider, world.rival]) {
    const { json } = await who.api('GET', '/api/Service/GetMy');
    for (const { id } of json as { id: string }[])
      if (id !== world.service.id) await who.api('DELETE', `/api/Service/Delete?id=${id}`);
  }
}
type Request = Awaited<ReturnType<typeof requestOf>>;
const askIn = (book: Person, who: Person, { method, path, body }: Request) =>
  who.api(method, inBookOf(path, book), body);

test('thirty-four calls work in a colleague’s book', () => {
  expect(ofBook).toHaveLength(34);
});

describe.each(named)('%s', (_, row) => {
  beforeAll(forgetServices);

  const [method, , [ofStranger, ofClient, ofProvider, ofRival]] = row;
  const refusals: Partial<Record<ShopRole, number>> = { 'a stranger': ofStranger, 'a client': ofClient };

  test.each(mayAct)('answers %s in a colleague’s book as it answers the colleague', async (who) => {
    const response = await askIn(world.provider, world.people[who], await requestOf(row));

    expect(response.status, response.text).toBe(ofProvider);
  });

  test('answers everybody with their own username as without it', async () => {
    const { provider } = world;

    const response = await askIn(provider, provider, await requestOf(row));

    expect(response.status, response.text).toBe(ofProvider);
  });

  test.each(mayNotAct)('is nothing that %s may do in their book, and writes nothing', async (who) => {
    const response = await askIn(world.provider, world.people[who], await requestOf(row));

    const refused = refusals[who] ?? 404;
    expect(response.status, response.text).toBe([401, 403].includes(refused) ? refused : 404);
    expect(askedOf(response.headers).written).toBe(0);
  });

  test('is nothing that the desk may do in the book of another shop, and writes nothing', async () => {
    const response = await askIn(world.elsewhere, world.people['the desk'], await requestOf(row));

    expect(response.status).toBe(404);
    expect(askedOf(response.headers).written).toBe(0);
  });

  if (ofRival === 404) {
    test('finds nothing of another shop in the book of one’s own colleague, and writes nothing', async () => {
      const response = await askIn(world.elsewhere, world.rival, await requestOf(row));

      expect(response.status, response.text).toBe(404);
      expect(askedOf(response.headers).written).toBe(0);
    });
  }

  if (method === 'GET') {
    test('gives the desk what it gives the colleague', async () => {
      const request = await requestOf(row);

      const theirs = await askIn(world.provider, world.people['the desk'], request);

      expect(theirs.json).toEqual((await world.provider.api('GET', request.path)).json);
    });
  }
});

const asksForLogin = /^\/not-logged-in\?/;

/** The forms of a page that write, each as it is sent by each of its buttons with nothing more typed. */
function formsOf({ root, url }: Page): { action: string; body: URLSearchParams }[] {
  return root.querySelectorAll('main form[method=post], dialog form[method=post]').flatMap((form) => {
    const action = new URL(form.getAttribute('action') || url, url);
    const buttons = form.querySelectorAll('button').filter((button) => button.getAttribute('type') !== 'button');
    return buttons.map((button) => {
      const body = new URLSearchParams(entriesOf(root, form, button, {}));
      // By it the form of somebody else is refused whatever they may do.
      body.delete('once');
      return { action: action.pathname + action.search, body };
    });
  });
}

test('most pages of a book have forms', async () => {
  const pages = await Promise.all(
    Object.values(bookPages).map((pathOf) =>
      world.people['the desk'].browser.get(pathOf(world, bookPaths(world.provider.username))),
    ),
  );

  expect(pages.filter((page) => formsOf(page).length > 0).length).toBeGreaterThan(pages.length / 2);
});

describe.each(Object.entries(bookPages))('the page %s', (_, pathOf) => {
  const open = (who: Person, of: Person) => who.browser.get(pathOf(world, bookPaths(of.username)));

  test.each(mayAct)('of a colleague opens for %s', async (who) => {
    const page = await open(world.people[who], world.provider);

    expect(page.status).toBe(200);
    expect(askedOf(page.headers).written).toBe(0);
  });

  test('opens with one’s own username as without it', async () => {
    const page = await open(world.provider, world.provider);

    expect(page.status).toBe(200);
    expect(page.text).not.toContain('The book of');
  });

  test.each(mayNotAct)('of a colleague opens for %s no more than what there is not', async (who) => {
    const page = await open(world.people[who], world.provider);

    if (who === 'a stranger') expect([page.status, page.location]).toEqual([302, expect.stringMatching(asksForLogin)]);
    else expect([403, 404]).toContain(page.status);
    expect(page.text).not.toContain(world.provider.displayName);
  });

  test.each(mayNotAct)('of a colleague takes no form of %s, and writes nothing', async (who) => {
    const forms = formsOf(await open(world.people['the desk'], world.provider));
    const before = await storedRows(daybook);

    const pages = await Promise.all(forms.map(({ action, body }) => world.people[who].browser.post(action, body)));

    for (const page of pages)
      if (who === 'a stranger')
        expect([page.status, page.location]).toEqual([303, expect.stringMatching(asksForLogin)]);
      else expect([403, 404]).toContain(page.status);
    expect(await storedRows(daybook)).toEqual(before);
  });

  test('of another shop does not open for the desk', async () => {
    expect((await open(world.people['the desk'], world.elsewhere)).status).toBe(404);
  });
});

// They are about whoever logs in, or change who that is; or they are of an event that anybody may answer.
const ofNobody =
  /\/api\/(health|Public\/|Account\/(Register|Login|Logout|Guest|Delete|ForgotPassword|ResetPassword)$|Shop\/(Leave|Uninvite)$|Party\/BookRsvp$|meetup\/ChangeRsvp$)/;
const others = all
  .filter((row) => !hasOf(row) && !ofNobody.test(row[1]))
  .map((row) => [`${row[0]} ${row[1]}`, row] as const);

/** The rows that name the colleague. */
async function rowsOfColleague() {
  const [{ id = '' } = {}] = (
    await daybook.d1
      .prepare('SELECT id FROM accounts WHERE username = ?')
      .bind(world.provider.username)
      .all<{ id: string }>()
  ).results;
  const tables = await storedRows(daybook, 'replays', 'keys');
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [
      table,
      (rows as unknown[]).filter((row) => JSON.stringify(row).includes(id)),
    ]),
  );
}

/** An export says when it was made. */
const untimed = (json: unknown) =>
  JSON.parse(JSON.stringify(json, (name, value) => (name === 'exportedAt' ? null : value)));

describe.each(others)('%s acts for nobody else', (_, row) => {
  const [method] = row;

  test(method === 'GET' ? 'and reads one’s own' : 'and changes nothing of the colleague', async () => {
    const request = await requestOf(row);
    const desk = world.people['the desk'];
    const before = await rowsOfColleague();

    const response = await askIn(world.provider, desk, request);

    if (method === 'GET') expect(untimed(response.json)).toEqual(untimed((await desk.api('GET', request.path)).json));
    expect(await rowsOfColleague()).toEqual(before);
  });
});
