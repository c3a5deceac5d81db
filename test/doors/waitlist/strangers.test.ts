import { describe, expect, test } from 'vitest';
import { book, cancel, dayAhead, type Person, peopleAt, publish, type Row, several } from '../../support/factories';
import { mailTo, newAddress } from '../../support/mails';
import { useServer } from '../../support/use-server';
import { fullyBooked, passOffer, takeOffer, type Wish } from '../../support/waitlist';

/* Strangers are a new guest each time: whom their wishes bind, where many networks come through one proxy. */

const daybook = useServer({
  vars: { RATE_LIMIT: 'off' },
  trustedProxy: { addresses: '127.0.0.1', header: 'X-Forwarded-For' },
});
const people = peopleAt(daybook);

const waitFrom = (network: string, { username }: Person, wish: object) =>
  daybook
    .visitor()
    .api(
      'POST',
      '/api/Waitlist/Add',
      { provider: username, displayName: 'Gus', to: dayAhead(20), ...wish },
      { 'x-forwarded-for': network },
    );

test('ten wishes of a stranger don’t keep the owner of the address from a place in line', async () => {
  const [{ host }, email] = [await fullyBooked(people), newAddress()];
  const taken = await several(10, () => waitFrom('203.0.113.7', host, { email }));
  expect(new Set(taken.map(({ status }) => status))).toEqual(new Set([201]));

  const eleventh = await waitFrom('203.0.113.7', host, { email });
  const owner = await waitFrom('198.51.100.9', host, { email });

  expect(eleventh).toMatchObject({ status: 409, json: expect.stringContaining('at most 10') });
  expect(owner.status).toBe(201);
});

test('a stranger has ten wishes, in however many ways they write their address', async () => {
  const [{ host }, email] = [await fullyBooked(people), newAddress()];
  const [name, domain = ''] = email.split('@');
  const wide = [...domain].map((sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).join('');
  await several(5, (place) => waitFrom('203.0.113.8', host, { email: `${name}+${place}@${domain}` }));
  await several(5, () => waitFrom('203.0.113.8', host, { email: `${name}@${wide}` }));

  const eleventh = await waitFrom('203.0.113.8', host, { email });

  expect(eleventh).toMatchObject({ status: 409, json: expect.stringContaining('at most 10') });
});

describe('a stranger with two wishes from one network', () => {
  /** Gus waits for two times that Maya has, and she gives both back. */
  async function twoFreed(networks: [string, string]) {
    const [host, maya, email] = [await people.newProvider(), await people.newConsumer(), newAddress()];
    const slots = await publish(host, { start: '09:00', end: '10:00', dates: [dayAhead(2)] });
    const rows = await Promise.all(slots.map(async (slot) => (await book(maya, slot)).json as Row));
    for (const [place, { id }] of rows.entries())
      expect((await waitFrom(networks[place] as string, host, { email, slotId: id })).status).toBe(201);
    for (const row of rows) await cancel(maya, row);
    const waiting = async () => (await host.api('GET', '/api/Waitlist/GetPage')).json as Wish[];
    const offers = async () => (await waiting()).flatMap(({ offer }) => (offer ? [offer.startsAt] : []));
    return { host, rows, email, waiting, offers };
  }
  const offerIn = async (email: string) => {
    const mail = await mailTo(daybook.visitor(), email, /^Free for you/);
    return { slotId: '', startsAt: '', endsAt: '', heldUntil: '', link: mail.link('/offer/') };
  };

  test('holds one time of a provider at once', async () => {
    const { rows, offers } = await twoFreed(['203.0.113.20', '203.0.113.20']);

    expect(await offers()).toEqual([rows[0]?.startsAt]);
  });

  test('is offered the other once the first is passed on', async () => {
    const { rows, email, offers } = await twoFreed(['203.0.113.21', '203.0.113.21']);

    await passOffer(daybook.visitor(), await offerIn(email));

    expect(await offers()).toEqual([rows[1]?.startsAt]);
  });

  test('is two people from two networks', async () => {
    const { rows, offers } = await twoFreed(['203.0.113.22', '198.51.100.22']);

    expect(await offers()).toEqual(rows.map(({ startsAt }) => startsAt));
  });

  test('waits no longer for any time of a day once they have taken one of it', async () => {
    const { host, booked, booker } = await fullyBooked(people);
    const email = newAddress();
    const network = '203.0.113.23';
    for (const wish of [{ slotId: booked.id }, { from: dayAhead(2), to: dayAhead(2) }])
      expect((await waitFrom(network, host, { email, ...wish })).status).toBe(201);
    await cancel(booker, booked);

    expect((await takeOffer(daybook.visitor(), await offerIn(email))).status).toBe(200);

    expect((await host.api('GET', '/api/Waitlist/GetPage')).json).toEqual([]);
  });
});
