import { expect, test } from 'vitest';
import { confirmAddress } from '../../support/confirmed';
import { book, cancel, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import type { Arrived } from '../../support/mail-server';
import { allSent, mailWords, writtenTable } from '../../support/told';
import { useMail } from '../../support/use-mail';

/*
 * Who gets what of a booking: everybody books, is moved and is canceled, each with a provider who has confirmed an address and with
 * one who has not. Each mail is read by another's parser, its entry too. The table in docs/mail.md is what came.
 */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

type Reader = { name: string; email: string | null; news: Person | null };
/** A booking of a slot by somebody: who hears of it, and its id. */
type Booking = { reader: Reader; id: string };
type Book = (slot: Row, provider: Person, email: string) => Promise<Booking>;

const asAccount =
  (prepare: (who: Person, email: string) => Promise<string | null>): Book =>
  async (slot, _, address) => {
    const who = await newConsumer();
    const email = await prepare(who, address);
    await book(who, slot);
    return { reader: { name: who.displayName, email, news: who }, id: slot.id };
  };
const asGuest =
  (hasAddress: boolean): Book =>
  async (slot, _, address) => {
    const email = hasAddress ? address : null;
    const who = await newGuest(daybook, { email });
    await book(who, slot);
    return { reader: { name: who.displayName, email, news: null }, id: slot.id };
  };
const asWalkIn =
  (hasAddress: boolean): Book =>
  async (slot, provider, address) => {
    const email = hasAddress ? address : null;
    const body = { displayName: 'Wanda', ...(email && { email }) };
    const { status } = await provider.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, body);
    expect(status).toBe(201);
    return { reader: { name: 'Wanda', email, news: null }, id: slot.id };
  };

const bookers: [string, Book][] = [
  ['a guest without an address', asGuest(false)],
  ['a guest with an address', asGuest(true)],
  ['somebody booked by the provider, without an address', asWalkIn(false)],
  ['somebody booked by the provider, with an address', asWalkIn(true)],
  ['an account without an address', asAccount(async () => null)],
  [
    'an account with an address that is not confirmed',
    asAccount(async (who, email) => {
      expect((await who.api('PUT', '/api/Account/SetEmail', { email, password: 'Correct horse 1' })).status).toBe(200);
      return email;
    }),
  ],
  ['an account with a confirmed address', asAccount(async (who) => (await confirmAddress(daybook.d1, who)).email)],
];

const kinds = ['booked', 'moved', 'canceled'] as const;
/** What a mail is about, by its subject; the question whether an address is somebody's is of no booking. */
function kindOf(subject: string): string {
  if (/^Moved: /.test(subject)) return 'moved';
  if (/^Canceled: /.test(subject)) return 'canceled';
  return /\d\d:\d\d/.test(subject) ? 'booked' : 'other';
}
const reason = 'A burst pipe.';

/** What somebody was told of each kind, by mail and in their news. */
async function toldOf({ email, news }: Reader): Promise<string[]> {
  const lines = news ? ((await news.api('GET', '/api/Account/GetNews')).json as { kind: string }[]) : [];
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

test('who gets what is what docs/mail.md says, and no screen promises more', { timeout: 180_000 }, async () => {
  const rows: string[] = [];
  for (const isConfirmed of [true, false]) {
    const plain = await newProvider();
    const provider = isConfirmed ? await confirmAddress(daybook.d1, plain) : plain;
    const slots = await publish(provider, { start: '08:00', end: '20:00' });
    const timesOf = (index: number) => [slots[index * 2], slots[index * 2 + 1]] as [Row, Row];
    const booked = await Promise.all(
      bookers.map(async ([name, make], index) => {
        const [slot] = timesOf(index);
        return { name, ...(await make(slot, provider, `${isConfirmed ? 'c' : 'u'}${index}@mail.test`)) };
      }),
    );
    await allSent(daybook.d1);
    for (const [index, { id }] of booked.entries()) {
      const call = await provider.api('PUT', `/api/Appointment/Move?id=${id}&to=${timesOf(index)[1].id}`);
      expect(call.status).toBe(200);
    }
    await allSent(daybook.d1);
    const promises = await Promise.all(
      booked.map((_, index) => promised(provider, `/details-provider/${timesOf(index)[1].id}`)),
    );
    for (const [index] of booked.entries()) {
      expect((await cancel(provider, timesOf(index)[1], reason)).status).toBe(200);
    }
    await allSent(daybook.d1);
    for (const [index, { name, reader }] of booked.entries()) {
      const told = await toldOf(reader);
      rows.push(`| ${name} | ${isConfirmed ? 'confirmed' : 'not confirmed'} | ${told.join(' | ')} |`);
      expectKept(promises[index] as (typeof promises)[number], told);
    }
  }
  for (const [words, prepare] of [
    ['no address', async (who: Person) => ({ ...who, email: null })],
    [
      'an address that is not confirmed',
      async (who: Person) => {
        await who.api('PUT', '/api/Account/SetEmail', { email: 'provider@mail.test', password: 'Correct horse 1' });
        return { ...who, email: 'provider@mail.test' };
      },
    ],
    ['a confirmed address', (who: Person) => confirmAddress(daybook.d1, who)],
  ] as const) {
    const provider = await prepare(await newProvider());
    const [slot, other] = (await publish(provider, { end: '10:00' })) as [Row, Row];
    const maya = await newConsumer();
    await book(maya, slot);
    await allSent(daybook.d1);
    await maya.api('PUT', `/api/Appointment/Move?id=${slot.id}&to=${other.id}`);
    await allSent(daybook.d1);
    const promise = await promised(maya, `/details-cancel/${other.id}`);
    expect((await cancel(maya, other, reason)).status).toBe(200);
    await allSent(daybook.d1);
    const told = await toldOf({ name: provider.displayName, email: provider.email, news: provider });
    rows.push(`| the provider, with ${words} | – | ${told.join(' | ')} |`);
    expectKept(promise, told);
  }
  const head = '| who | the provider’s address | booked | moved by the other side | canceled by the other side |';
  expect(writtenTable(head)).toEqual([head, '|---|---|---|---|---|', ...rows]);
});
