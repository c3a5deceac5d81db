import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readCalendar } from '../../support/calendars';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
  rowsOf,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import type { Arrived } from '../../support/mail-server';
import { confirmAddress } from '../../support/mails';
import { bookWeeks, publishWeeks } from '../../support/series';
import { createService } from '../../support/services';
import { useMail } from '../../support/use-mail';

/* Who gets what: each mail is read by another's parser, its entry too. The tables in docs/mail.md are what came. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

/** Waits until every message is sent, withheld or nobody's mail. */
const unsent = "SELECT count(*) AS n FROM messages WHERE mail_state IN ('due', 'leased', 'asked')";
const allSent = () =>
  vi.waitFor(async () => expect(await daybook.d1.prepare(unsent).first<number>('n')).toBe(0), {
    ...{ timeout: 60_000, interval: 50 },
  });

const reason = 'A burst pipe.';

/** The calendars of a mail: the same one is there as an answerable part and as a file. */
function calendarsOf({ mail }: Arrived): string[] {
  const files = mail.attachments.filter(({ contentType }) => /calendar|ics/.test(contentType));
  return [...new Set(files.map(({ content }) => String(content)))];
}

/** What is in a mail, in words; its calendar is read by another program. */
function mailWords(arrived: Arrived): string {
  const { text = '' } = arrived.mail;
  const [calendar] = calendarsOf(arrived);
  const entries = calendar ? readCalendar(calendar).events.size : 0;
  const has = [
    entries > 0 && (entries === 1 ? 'entry' : `${entries} entries`),
    /\/(booking|waiting|offer)\/[\w-]{22,}/.test(text) && 'own link',
    text.includes(reason) && 'reason',
  ].filter(Boolean);
  return has.length > 0 ? `mail (${has.join(', ')})` : 'mail';
}

/** The rules of every mail that these came by. */
function describeMails(mails: Arrived[]): void {
  describe('every mail', () => {
    test('is there', () => {
      expect(mails).not.toEqual([]);
    });

    test('has text beside its HTML', () => {
      expect(mails.filter(({ mail }) => !mail.text?.trim() || !mail.html)).toEqual([]);
    });

    test('has one calendar at most', () => {
      expect(mails.filter((arrived) => calendarsOf(arrived).length > 1)).toEqual([]);
    });

    test('with one entry asks for it, or calls it off', () => {
      for (const arrived of mails) {
        const [calendar] = calendarsOf(arrived);
        if (!calendar || readCalendar(calendar).events.size !== 1) continue;
        const isCanceled = arrived.mail.subject?.startsWith('Canceled: ');
        expect(readCalendar(calendar).method, arrived.mail.subject).toBe(isCanceled ? 'CANCEL' : 'REQUEST');
      }
    });

    test('has the reason in its text where its HTML has it', () => {
      const hasReason = (words: unknown) => String(words).includes(reason);

      expect(mails.filter(({ mail }) => hasReason(mail.text) !== hasReason(mail.html))).toEqual([]);
    });
  });
}

/** The lines of the table of docs/mail.md that begins with this one, by what their first cells say. */
function writtenTable(head: string): Map<string, string[]> {
  const lines = readFileSync('docs/mail.md', 'utf8').split('\n');
  const rest = lines.slice(lines.indexOf(head) + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  const rows = (end < 0 ? rest : rest.slice(0, end)).map((line) => line.slice(2, -2).split(' | '));
  return new Map(rows.map((cells) => [named(cells.slice(0, head.startsWith('| who |') ? 2 : 1)), cells]));
}
/** How a test calls a line, by its first cells. */
const named = (cells: string[]) => cells.join(', provider: ');

/** Who reads mail and news; null where there are none. */
type Reader = { who: Person; email: string | null; news: Person | null };

async function asGuest(email: string | null): Promise<Reader> {
  return { who: await newGuest(daybook, { email }), email, news: null };
}
/** Gives somebody an address that is not confirmed, one that is, or none. */
async function withAddress(who: Person, state: 'none' | 'confirmed' | 'not confirmed', email = ''): Promise<Reader> {
  if (state === 'none') return { who, email: null, news: who };
  if (state === 'confirmed') return { who, email: (await confirmAddress(daybook.d1, who)).email, news: who };
  expect((await who.api('PUT', '/api/Account/SetEmail', { email, password })).status).toBe(200);
  return { who, email, news: who };
}
const newsOf = async ({ news }: Reader) =>
  news ? ((await news.api('GET', '/api/Account/GetNews')).json as { id: string }[]) : [];

const account = (state: Parameters<typeof withAddress>[1]) => async (email: string) =>
  withAddress(await newConsumer(), state, email);
const walkIn = async (who: Person, email: string | null): Promise<Reader> => ({ who, email, news: null });
const bookers: [string, (email: string, provider: Person) => Promise<Reader>][] = [
  ['a guest without an address', () => asGuest(null)],
  ['a guest with an address', asGuest],
  ['somebody booked by the provider, without an address', (_, provider) => walkIn(provider, null)],
  ['somebody booked by the provider, with an address', (email, provider) => walkIn(provider, email)],
  ['an account without an address', account('none')],
  ['an account with an address that is not confirmed', account('not confirmed')],
  ['an account with a confirmed address', account('confirmed')],
];

/** Does something, and says what each reader has got of it. Their mail is kept in `mails`. */
async function toldNow(mails: Arrived[], all: Reader[], happen: () => Promise<unknown>): Promise<string[]> {
  const arrived = mailServer.arrived.length;
  const known = await Promise.all(all.map(async (reader) => new Set((await newsOf(reader)).map(({ id }) => id))));
  await happen();
  await allSent();
  return Promise.all(
    all.map(async (reader, place) => {
      const came = mailServer.arrived
        .slice(arrived)
        .filter(({ to, mail }) => to === reader.email && mail.subject !== 'Is this your address?');
      const news = (await newsOf(reader)).filter(({ id }) => !known[place]?.has(id));
      mails.push(...came);
      const words = [...came.map(mailWords), ...news.map(() => 'news')];
      return words.join(' and ') || 'nothing';
    }),
  );
}

/** What the screen that cancels says: how the other side hears of it, and whether the reason comes along. */
async function promiseAt(who: Person, path: string) {
  const words = (await who.browser.get(path)).$('dialog')?.text ?? '';
  const way = /is told by mail/.test(words) ? 'mail' : /in their news/.test(words) ? 'news' : 'nothing';
  return { words, way, hasReason: /(mail|news), with your reason/.test(words) };
}

describe('a booking', () => {
  type Told = { cells: string[]; promise: Awaited<ReturnType<typeof promiseAt>> };
  const told = new Map<string, Told>();
  const mails: Arrived[] = [];
  const move = ({ api }: Person, slot: Row, to: Row) => api('PUT', `/api/Appointment/Move?id=${slot.id}&to=${to.id}`);

  /** Each who books is told by a provider with this address what becomes of it. */
  async function tellBookers(address: 'confirmed' | 'not confirmed') {
    const isConfirmed = address === 'confirmed';
    const plain = await newProvider();
    const provider = isConfirmed ? await confirmAddress(daybook.d1, plain) : plain;
    const slots = await publish(provider, { start: '08:00', end: '20:00' });
    const people = await Promise.all(
      bookers.map(async ([, make], index) => {
        const [slot, to] = slots.slice(index * 2) as [Row, Row];
        return { ...(await make(`${isConfirmed ? 'c' : 'u'}${index}@mail.test`, provider)), slot, to };
      }),
    );
    const toldOf = (act: (person: (typeof people)[number]) => Promise<{ status: number }>) =>
      toldNow(mails, people, async () => {
        for (const person of people) expect((await act(person)).status).toBeLessThan(300);
      });
    const booked = await toldOf(({ who, email, slot }) => {
      const body = { displayName: 'Wanda', ...(email && { email }) };
      return who === provider ? who.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, body) : book(who, slot);
    });
    const moved = await toldOf(({ slot, to }) => move(provider, slot, to));
    const promises = await Promise.all(people.map(({ to }) => promiseAt(provider, `/details-provider/${to.id}`)));
    const canceled = await toldOf(({ to }) => cancel(provider, to, reason));
    for (const [index, [name]] of bookers.entries()) {
      const cells = [name, address, ...[booked, moved, canceled].map((all) => all[index] as string)];
      told.set(named(cells.slice(0, 2)), { cells, promise: promises[index] as Told['promise'] });
    }
  }

  const providers = [
    ['the provider, with no address', 'none'],
    ['the provider, with an address that is not confirmed', 'not confirmed'],
    ['the provider, with a confirmed address', 'confirmed'],
  ] as const;
  /** A provider with such an address is told what becomes of a booking. */
  async function tellProvider([name, state]: (typeof providers)[number]) {
    const reader = await withAddress(await newProvider(), state, 'provider@mail.test');
    const [slot, other] = (await publish(reader.who, { end: '10:00' })) as [Row, Row];
    const maya = await newConsumer();
    const [booked = ''] = await toldNow(mails, [reader], () => book(maya, slot));
    const [moved = ''] = await toldNow(mails, [reader], () => move(maya, slot, other));
    const promise = await promiseAt(maya, `/details-cancel/${other.id}`);
    const [canceled = ''] = await toldNow(mails, [reader], () => cancel(maya, other, reason));
    told.set(named([name, '–']), { cells: [name, '–', booked, moved, canceled], promise });
  }

  beforeAll(async () => {
    await tellBookers('confirmed');
    await tellBookers('not confirmed');
    for (const provider of providers) await tellProvider(provider);
  }, 180_000);

  const written = writtenTable(
    '| who | the provider’s address | booked | moved by the other side | canceled by the other side |',
  );
  const lines = [...written.keys()];

  test('is told to those whom docs/mail.md names', () => {
    expect([...told.keys()]).toEqual(lines);
  });

  test.each(lines)('is told as docs/mail.md says to %s', (line) => {
    expect(told.get(line)?.cells).toEqual(written.get(line));
  });

  describe.each(lines)('that is canceled has a screen which promises, of %s,', (line) => {
    const canceled = () => told.get(line)?.cells.at(-1) ?? '';
    const promise = () => (told.get(line) as Told).promise;

    test('the way by which it is told', () => {
      expect(canceled()).toMatch(new RegExp(`^${promise().way}`));
    });

    test('the reason where the mail has it', () => {
      const { way, hasReason } = promise();

      if (way === 'mail') expect(hasReason).toBe(canceled().includes('reason'));
    });

    test('a call where nothing is told', () => {
      const { way, words } = promise();

      expect(/please call/.test(words), words).toBe(way === 'nothing');
    });
  });

  describeMails(mails);
});

const readers: [string, (email: string) => Promise<Reader>][] = [
  ['a guest with an address', asGuest],
  ['an account without an address', account('none')],
  ['an account with an address that is not confirmed', account('not confirmed')],
  ['an account with a confirmed address', account('confirmed')],
];

/** Somebody who reads, and a host with a class, a series and a day that a rival has filled. */
async function sceneOf({ who }: Reader) {
  const host = await confirmAddress(daybook.d1, await newProvider());
  const yoga = await createService(host, { name: 'Yoga', minutes: 60, seats: 8 });
  const lesson = await publishOne(host, { start: '07:00', end: '08:00', serviceId: yoga.id });
  const [first] = (await publishWeeks(host, 3)) as [Row];
  const full = await publishOne(host, { start: '12:00', end: '12:30', dates: [dayAhead(2)] });
  const rival = await newConsumer();
  expect((await book(rival, full)).status).toBe(200);
  return { who, host, lesson, first, full, rival };
}
type Scene = Awaited<ReturnType<typeof sceneOf>>;

describe('a class, a series, the waitlist:', () => {
  const booked = async ({ who }: Scene) => rowsOf(await who.api('GET', '/api/Appointment/GetBooked'));
  const events: [string, (scene: Scene) => Promise<{ status: number } | Row[]>][] = [
    ['a place in a class is booked', ({ who, lesson }) => book(who, lesson)],
    ['the provider cancels the class', ({ host, lesson }) => cancel(host, lesson, reason)],
    ['three dates are booked as a series', ({ who, first }) => bookWeeks(who, first, 3)],
    [
      'the provider cancels the last two of them',
      async (scene) =>
        scene.host.api('PUT', `/api/Appointment/Cancel?id=${(await booked(scene))[1]?.id}&following=true`, { reason }),
    ],
    [
      'a wish is noted',
      ({ who, host }) => {
        const wish = { provider: host.username, from: dayAhead(2), to: dayAhead(2) };
        return who.api('POST', '/api/Waitlist/Add', wish);
      },
    ],
    ['somebody cancels, and the time is held', ({ rival, full }) => cancel(rival, full)],
    [
      'the time is taken',
      async ({ who }) => {
        const [wish] = (await who.api('GET', '/api/Waitlist/GetMy')).json as [{ offer: { link: string } }];
        const key = wish.offer.link.split('/').at(-1);
        return daybook.visitor().api('PUT', `/api/Public/TakeOffer?key=${key}`);
      },
    ],
  ];
  const told = new Map<string, string[]>();
  const mails: Arrived[] = [];

  beforeAll(async () => {
    const people = await Promise.all(readers.map(([, make], place) => make(`several${place}@mail.test`)));
    const scenes = await Promise.all(people.map(sceneOf));
    await allSent();
    const { host } = scenes.at(-1) as Scene;
    const all = [...people, { who: host, email: host.email, news: host }];
    for (const [what, happen] of events) {
      const cells = await toldNow(mails, all, async () => {
        for (const scene of scenes) {
          const done = await happen(scene);
          if (!Array.isArray(done)) expect(done.status, what).toBeLessThan(300);
        }
      });
      told.set(what, [what, ...cells]);
    }
  }, 180_000);

  const written = writtenTable(
    `| what happens | ${readers.map(([name]) => name).join(' | ')} | the provider, with a confirmed address |`,
  );
  const lines = [...written.keys()];

  test('is told of by the events that docs/mail.md names', () => {
    expect([...told.keys()]).toEqual(lines);
  });

  test.each(lines)('docs/mail.md says who is told that %s', (line) => {
    expect(told.get(line)).toEqual(written.get(line));
  });

  describeMails(mails);
});
