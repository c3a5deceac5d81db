import { expect, test } from 'vitest';
import { confirmAddress } from '../../support/confirmed';
import { book, cancel, dayAhead, type Person, peopleAt, publish, type Row, rowsOf } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookWeeks, publishWeeks } from '../../support/series';
import { createService } from '../../support/services';
import { allSent, mailWords, writtenTable } from '../../support/told';
import { useMail } from '../../support/use-mail';

/*
 * Who gets what of a class, a series and the waitlist. Each mail is read by another's parser, its entries too. The table in
 * docs/mail.md is what came.
 */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);
const reason = 'A burst pipe.';

type Reader = { who: Person; email: string | null; hasNews: boolean };

const readers: [string, () => Promise<Reader>][] = [
  [
    'a guest with an address',
    async () => {
      const email = 'several-guest@mail.test';
      return { who: await newGuest(daybook, { email }), email, hasNews: false };
    },
  ],
  ['an account without an address', async () => ({ who: await newConsumer(), email: null, hasNews: true })],
  [
    'an account with an address that is not confirmed',
    async () => {
      const [who, email] = [await newConsumer(), 'several-unconfirmed@mail.test'];
      await who.api('PUT', '/api/Account/SetEmail', { email, password: 'Correct horse 1' });
      return { who, email, hasNews: true };
    },
  ],
  [
    'an account with a confirmed address',
    async () => {
      const who = await confirmAddress(daybook.d1, await newConsumer());
      return { who, email: who.email, hasNews: true };
    },
  ],
];

const newsOf = async ({ who, hasNews }: Reader) =>
  hasNews ? ((await who.api('GET', '/api/Account/GetNews')).json as { id: string }[]) : [];

/** Does something, and says what each reader has got of it. */
async function told(all: Reader[], happen: () => Promise<unknown>): Promise<string[]> {
  const arrived = mailServer.arrived.length;
  const known = await Promise.all(all.map(async (reader) => new Set((await newsOf(reader)).map(({ id }) => id))));
  await happen();
  await allSent(daybook.d1);
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

test('who gets what of a class, a series and the waitlist is what docs/mail.md says', {
  timeout: 180_000,
}, async () => {
  const people = await Promise.all(readers.map(([, make]) => make()));
  const scenes = await Promise.all(
    people.map(async ({ who }) => {
      const host = await confirmAddress(daybook.d1, await newProvider());
      const yoga = await createService(host, { name: 'Yoga', minutes: 60, seats: 8 });
      const hour = { start: '07:00', end: '08:00', dates: [dayAhead(1)], serviceId: yoga.id };
      const [lesson] = (await publish(host, hour)) as [Row];
      const [first] = (await publishWeeks(host, 3)) as [Row];
      const [full] = (await publish(host, { start: '12:00', dates: [dayAhead(2)], end: '12:30' })) as [Row];
      const rival = await newConsumer();
      expect((await book(rival, full)).status).toBe(200);
      return { who, host, lesson, first, full, rival, offer: '' };
    }),
  );
  await allSent(daybook.d1);
  const [scene] = scenes.slice(-1) as [(typeof scenes)[number]];
  const host = { who: scene.host, email: scene.host.email, hasNews: true };
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
    const cells = await told([...people, host], async () => {
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
