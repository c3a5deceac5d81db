import { expect, test } from 'vitest';
import { dayAhead, type Person, peopleAt, several } from '../../support/factories';
import { newAddress } from '../../support/mails';
import { useServer } from '../../support/use-server';
import { fullyBooked } from '../../support/waitlist';

/* Ten wishes with one address: whom they bind, where many networks come through one proxy. */

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
