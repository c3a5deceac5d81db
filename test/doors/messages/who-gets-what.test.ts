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

const reason = 'A burst pipe.';

/** What is in a mail, in words; its calendar is read by another program. */
function mailWords({ mail }: Arrived): string {
  expect([Boolean(mail.text?.trim()), Boolean(mail.html)]).toEqual([true, true]);
  // The same once as an answerable part, once as a file.
  const files = mail.attachments.filter(({ contentType }) => /calendar|ics/.test(contentType));
  const [file, ...others] = new Set(files.map(({ content }) => String(content)));
  const calendar = file ? readCalendar(file) : null;
  const entries = calendar?.events.size ?? 0;
  const method = mail.subject?.startsWith('Canceled: ') ? 'CANCEL' : 'REQUEST';
  expect([others, entries === 1 ? calendar?.method : method]).toEqual([[], method]);
  const hasReason = Boolean(mail.text?.includes(reason));
  expect(String(mail.html).includes(reason)).toBe(hasReason);
  const has = [
    entries > 0 && (entries === 1 ? 'entry' : `${entries} entries`),
    /\/(booking|waiting|offer)\/[\w-]{22,}/.test(mail.text ?? '') && 'own link',
    hasReason && 'reason',
  ].filter(Boolean);
  return has.length > 0 ? `mail (${has.join(', ')})` : 'mail';
}

/** The lines of the table of docs/mail.md that begins with this one. */
function writtenTable(head: string): string[] {
  const lines = readFileSync('docs/mail.md', 'utf8').split('\n');
  const rest = lines.slice(lines.indexOf(head));
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return end < 0 ? rest : rest.slice(0, end);
}

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
      const words = [...mails.map(mailWords), ...news.map(() => 'news')];
      return words.join(' and ') || 'nothing';
    }),
  );
}

/** What the screen that cancels says: how the other side hears of it, and whether the reason comes along. */
async function promised(who: Person, path: string) {
  const words = (await who.browser.get(path)).$('dialog')?.text ?? '';
  const way = /is told by mail/.test(words) ? 'mail' : /in their news/.test(words) ? 'news' : 'nothing';
  expect([words, way === 'nothing']).toEqual([words, /please call/.test(words)]);
  return { way, hasReason: /(mail|news), with your reason/.test(words) };
}

/** A screen promises a reader no more than what they get. */
function expectKept({ way, hasReason }: Awaited<ReturnType<typeof promised>>, canceled = ''): void {
  expect(canceled).toMatch(new RegExp(`^${way}`));
  if (way === 'mail') expect([canceled, hasReason]).toEqual([canceled, canceled.includes('reason')]);
}

test('who gets what of a booking is what docs/mail.md says, and no screen promises more', {
  timeout: 180_000,
}, async () => {
  const rows: string[] = [];
  const move = ({ api }: Person, slot: Row, to: Row) => api('PUT', `/api/Appointment/Move?id=${slot.id}&to=${to.id}`);
  for (const isConfirmed of [true, false]) {
    const plain = await newProvider();
    const provider = isConfirmed ? await confirmAddress(daybook.d1, plain) : plain;
    const slots = await publish(provider, { start: '08:00', end: '20:00' });
    const people = await Promise.all(
      bookers.map(async ([, make], index) => {
        const [slot, to] = slots.slice(index * 2) as [Row, Row];
        return { ...(await make(`${isConfirmed ? 'c' : 'u'}${index}@mail.test`, provider)), slot, to };
      }),
    );
    const toldOf = (act: (one: (typeof people)[number]) => Promise<{ status: number }>) =>
      toldNow(people, async () => {
        for (const one of people) expect((await act(one)).status).toBeLessThan(300);
      });
    const booked = await toldOf(({ who, email, slot }) => {
      const body = { displayName: 'Wanda', ...(email && { email }) };
      return who === provider ? who.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, body) : book(who, slot);
    });
    const moved = await toldOf(({ slot, to }) => move(provider, slot, to));
    const promises = await Promise.all(people.map(({ to }) => promised(provider, `/details-provider/${to.id}`)));
    const canceled = await toldOf(({ to }) => cancel(provider, to, reason));
    for (const [index, [name]] of bookers.entries()) {
      const told = [booked, moved, canceled].map((all) => all[index]);
      rows.push(`| ${[name, isConfirmed ? 'confirmed' : 'not confirmed', ...told].join(' | ')} |`);
      expectKept(promises[index] as Awaited<ReturnType<typeof promised>>, canceled[index]);
    }
  }
  for (const [words, state] of [
    ['no address', 'none'],
    ['an address that is not confirmed', 'not confirmed'],
    ['a confirmed address', 'confirmed'],
  ] as const) {
    const reader = await withAddress(await newProvider(), state, 'provider@mail.test');
    const [slot, other] = (await publish(reader.who, { end: '10:00' })) as [Row, Row];
    const maya = await newConsumer();
    const told = [
      ...(await toldNow([reader], () => book(maya, slot))),
      ...(await toldNow([reader], () => move(maya, slot, other))),
    ];
    const promise = await promised(maya, `/details-cancel/${other.id}`);
    const [canceled] = await toldNow([reader], () => cancel(maya, other, reason));
    rows.push(`| the provider, with ${words} | – | ${[...told, canceled].join(' | ')} |`);
    expectKept(promise, canceled);
  }
  const head = '| who | the provider’s address | booked | moved by the other side | canceled by the other side |';
  expect(writtenTable(head)).toEqual([head, '|---|---|---|---|---|', ...rows]);
});

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
