import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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

/** Waits until every message is sent, held back or nobody's mail. */
const unsent = "SELECT count(*) AS n FROM messages WHERE mail_state IN ('due', 'leased', 'asked')";
const allSent = () => expect.poll(() => daybook.d1.prepare(unsent).first<number>('n'), { timeout: 60_000 }).toBe(0);

/** The methods of the calendar entries in a mail, and what is in it, in words; all read by other programs. */
function mailWords({ mail }: Arrived, reason: string): { words: string; method: string | null } {
  expect([Boolean(mail.text?.trim()), Boolean(mail.html)]).toEqual([true, true]);
  const plainHtml = String(mail.html).replaceAll('&#39;', "'");
  const [file, ...others] = mail.attachments.filter(({ contentType }) => /calendar|ics/.test(contentType));
  // The same once as an answerable part, once as a file.
  for (const other of others) expect(String(other.content)).toBe(String(file?.content));
  const calendar = file && readCalendar(String(file.content));
  const entries = calendar?.events.size ?? 0;
  const hasReason = Boolean(mail.text?.includes(reason));
  expect(plainHtml.includes(reason)).toBe(hasReason);
  const has = [
    entries > 0 && (entries === 1 ? 'entry' : `${entries} entries`),
    /\/(booking|waiting|offer)\/[\w-]{22,}/.test(mail.text ?? '') && 'own link',
    hasReason && 'reason',
  ].filter(Boolean);
  return { words: has.length > 0 ? `mail (${has.join(', ')})` : 'mail', method: calendar?.method ?? null };
}

/** The lines of the table of docs/mail.md that begins with this one. */
function writtenTable(head: string): string[] {
  const lines = readFileSync('docs/mail.md', 'utf8').split('\n');
  const rest = lines.slice(lines.indexOf(head));
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return end < 0 ? rest : rest.slice(0, end);
}

const reason = 'A burst pipe.';
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
  news ? ((await news.api('GET', '/api/Account/GetNews')).json as { id: string; kind: string }[]) : [];

/** Books a slot of the provider's for somebody; the provider does it for whoever walks in. */
type Book = (slot: Row, provider: Person, email: string) => Promise<Reader>;
const itself =
  (make: (email: string) => Promise<Reader>): Book =>
  async (slot, _, email) => {
    const reader = await make(email);
    expect((await book(reader.who, slot)).status).toBe(200);
    return reader;
  };
const walkIn =
  (hasAddress: boolean): Book =>
  async ({ id }, provider, address) => {
    const email = hasAddress ? address : null;
    const body = { displayName: 'Wanda', ...(email && { email }) };
    expect((await provider.api('POST', `/api/Appointment/BookFor?id=${id}`, body)).status).toBe(201);
    return { who: provider, email, news: null };
  };
const account = (state: Parameters<typeof withAddress>[1]) => async (email: string) =>
  withAddress(await newConsumer(), state, email);
const bookers: [string, Book][] = [
  ['a guest without an address', itself(() => asGuest(null))],
  ['a guest with an address', itself(asGuest)],
  ['somebody booked by the provider, without an address', walkIn(false)],
  ['somebody booked by the provider, with an address', walkIn(true)],
  ['an account without an address', itself(account('none'))],
  ['an account with an address that is not confirmed', itself(account('not confirmed'))],
  ['an account with a confirmed address', itself(account('confirmed'))],
];

const kinds = ['booked', 'moved', 'canceled'] as const;
/** What a mail is about, by its subject; the question whether an address is somebody's is of no booking. */
function kindOf(subject: string): string {
  if (/^Moved: /.test(subject)) return 'moved';
  if (/^Canceled: /.test(subject)) return 'canceled';
  return /\d\d:\d\d/.test(subject) ? 'booked' : 'other';
}
/** What somebody was told of each kind, by mail and in their news. */
async function toldOf(reader: Reader): Promise<string[]> {
  const { email } = reader;
  const lines = await newsOf(reader);
  return kinds.map((kind) => {
    const isOfKind = ({ mail: { subject = '' } }: Arrived) => kindOf(subject) === kind;
    const mails = mailServer.arrived.filter((one) => one.to === email && isOfKind(one));
    expect([email, kind, mails.length <= 1]).toEqual([email, kind, true]);
    const [mail] = mails;
    const { words, method } = mail ? mailWords(mail, reason) : { words: null, method: null };
    if (method) expect([kind, method]).toEqual([kind, kind === 'canceled' ? 'CANCEL' : 'REQUEST']);
    return [words, lines.some((line) => line.kind === kind) && 'news'].filter(Boolean).join(' and ') || 'nothing';
  });
}

/** What the screen that cancels says: how the other side hears of it, and whether the reason comes along. */
async function promised(who: Person, path: string) {
  const words = (await who.browser.get(path)).$('dialog')?.text ?? '';
  const way = /is told by mail/.test(words) ? 'mail' : /in their news/.test(words) ? 'news' : 'nothing';
  expect([words, way === 'nothing']).toEqual([words, /please call/.test(words)]);
  return { way, hasReason: /(mail|news), with your reason/.test(words) };
}

/** A screen promises a reader no more than what they get. */
function expectKept({ way, hasReason }: { way: string; hasReason: boolean }, [, , canceled = '']: string[]): void {
  expect(canceled).toMatch(new RegExp(`^${way}`));
  if (way === 'mail') expect([canceled, hasReason]).toEqual([canceled, canceled.includes('reason')]);
}

test('who gets what of a booking is what docs/mail.md says, and no screen promises more', {
  timeout: 180_000,
}, async () => {
  const rows: string[] = [];
  for (const isConfirmed of [true, false]) {
    const plain = await newProvider();
    const provider = isConfirmed ? await confirmAddress(daybook.d1, plain) : plain;
    const slots = await publish(provider, { start: '08:00', end: '20:00' });
    const timesOf = (index: number) => [slots[index * 2], slots[index * 2 + 1]] as [Row, Row];
    const booked = await Promise.all(
      bookers.map(async ([name, make], index) => {
        const [slot] = timesOf(index);
        const reader = await make(slot, provider, `${isConfirmed ? 'c' : 'u'}${index}@mail.test`);
        return { name, reader, id: slot.id };
      }),
    );
    await allSent();
    for (const [index, { id }] of booked.entries()) {
      const call = await provider.api('PUT', `/api/Appointment/Move?id=${id}&to=${timesOf(index)[1].id}`);
      expect(call.status).toBe(200);
    }
    await allSent();
    const promises = await Promise.all(
      booked.map((_, index) => promised(provider, `/details-provider/${timesOf(index)[1].id}`)),
    );
    for (const [index] of booked.entries()) {
      expect((await cancel(provider, timesOf(index)[1], reason)).status).toBe(200);
    }
    await allSent();
    for (const [index, { name, reader }] of booked.entries()) {
      const told = await toldOf(reader);
      rows.push(`| ${name} | ${isConfirmed ? 'confirmed' : 'not confirmed'} | ${told.join(' | ')} |`);
      expectKept(promises[index] as (typeof promises)[number], told);
    }
  }
  for (const [words, state] of [
    ['no address', 'none'],
    ['an address that is not confirmed', 'not confirmed'],
    ['a confirmed address', 'confirmed'],
  ] as const) {
    const reader = await withAddress(await newProvider(), state, 'provider@mail.test');
    const provider = reader.who;
    const [slot, other] = (await publish(provider, { end: '10:00' })) as [Row, Row];
    const maya = await newConsumer();
    await book(maya, slot);
    await allSent();
    await maya.api('PUT', `/api/Appointment/Move?id=${slot.id}&to=${other.id}`);
    await allSent();
    const promise = await promised(maya, `/details-cancel/${other.id}`);
    expect((await cancel(maya, other, reason)).status).toBe(200);
    await allSent();
    const told = await toldOf(reader);
    rows.push(`| the provider, with ${words} | – | ${told.join(' | ')} |`);
    expectKept(promise, told);
  }
  const head = '| who | the provider’s address | booked | moved by the other side | canceled by the other side |';
  expect(writtenTable(head)).toEqual([head, '|---|---|---|---|---|', ...rows]);
});

/** Does something, and says what each reader has got of it. */
async function toldNow(all: Reader[], happen: () => Promise<unknown>): Promise<string[]> {
  const arrived = mailServer.arrived.length;
  const known = await Promise.all(all.map(async (reader) => new Set((await newsOf(reader)).map(({ id }) => id))));
  await happen();
  await allSent();
  return Promise.all(
    all.map(async (reader, place) => {
      const mails = mailServer.arrived
        .slice(arrived)
        .filter(({ to, mail }) => to === reader.email && mail.subject !== 'Is this your address?');
      const news = (await newsOf(reader)).filter(({ id }) => !known[place]?.has(id));
      const words = [...mails.map((mail) => mailWords(mail, reason).words), ...news.map(() => 'news')];
      return words.join(' and ') || 'nothing';
    }),
  );
}

const readers: [string, (email: string) => Promise<Reader>][] = [
  ['a guest with an address', asGuest],
  ['an account without an address', account('none')],
  ['an account with an address that is not confirmed', account('not confirmed')],
  ['an account with a confirmed address', account('confirmed')],
];

test('who gets what of a class, a series and the waitlist is what docs/mail.md says', {
  timeout: 180_000,
}, async () => {
  const people = await Promise.all(readers.map(([, make], place) => make(`several${place}@mail.test`)));
  const scenes = await Promise.all(
    people.map(async ({ who }) => {
      const host = await confirmAddress(daybook.d1, await newProvider());
      const yoga = await createService(host, { name: 'Yoga', minutes: 60, seats: 8 });
      const lesson = await publishOne(host, { start: '07:00', end: '08:00', serviceId: yoga.id });
      const [first] = (await publishWeeks(host, 3)) as [Row];
      const full = await publishOne(host, { start: '12:00', end: '12:30', dates: [dayAhead(2)] });
      const rival = await newConsumer();
      expect((await book(rival, full)).status).toBe(200);
      return { who, host, lesson, first, full, rival };
    }),
  );
  await allSent();
  const [scene] = scenes.slice(-1) as [(typeof scenes)[number]];
  const host = { who: scene.host, email: scene.host.email, news: scene.host };
  type Scene = typeof scene;
  const booked = async ({ who }: Scene) => rowsOf(await who.api('GET', '/api/Appointment/GetBooked'));
  const [from, to] = [dayAhead(2), dayAhead(2)];
  const events: [string, (scene: Scene) => Promise<{ status: number } | Row[]>][] = [
    ['a place in a class is booked', ({ who, lesson }) => book(who, lesson)],
    ['the provider cancels the class', ({ host, lesson }) => cancel(host, lesson, reason)],
    ['three dates are booked as a series', ({ who, first }) => bookWeeks(who, first, 3)],
    [
      'the provider cancels the last two of them',
      async (scene) =>
        scene.host.api('PUT', `/api/Appointment/Cancel?id=${(await booked(scene))[1]?.id}&following=true`, { reason }),
    ],
    ['a wish is noted', ({ who, host }) => who.api('POST', '/api/Waitlist/Add', { provider: host.username, from, to })],
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
  const rows: string[] = [];
  for (const [what, happen] of events) {
    const cells = await toldNow([...people, host], async () => {
      for (const one of scenes) {
        const done = await happen(one);
        if (!Array.isArray(done)) expect([what, done.status < 300]).toEqual([what, true]);
      }
    });
    rows.push(`| ${[what, ...cells].join(' | ')} |`);
  }
  const head = `| what happens | ${readers.map(([name]) => name).join(' | ')} | the provider, with a confirmed address |`;
  expect(writtenTable(head)).toEqual([head, '|---|---|---|---|---|---|', ...rows]);
});
