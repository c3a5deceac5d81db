import { expect, test } from 'vitest';
import { forgetExpired } from '../../../app/domain/housekeeping.server';
import { linksBy } from '../../../app/domain/links.server';
import { invite } from '../../../app/domain/shop/joining.server';
import { openShop } from '../../../app/domain/shop/shops.server';
import { day, hour, type Instant } from '../../../app/domain/time/clock';
import type { Db } from '../../../db/client';
import { newBook, once, start, stored } from '../../support/history';

/** The hours of three days: each account has its turn. */
async function keepHouse(db: Db, from: Instant): Promise<void> {
  for (let at = from; at < from + 3 * day; at += hour) await forgetExpired(db, at);
}

const links = linksBy('a secret of this test');

async function newInvitation() {
  const { db, host } = await newBook();
  await openShop(
    db,
    host,
    { username: 'shop', displayName: 'Shop', location: 'Lisbon', address: null, phone: null },
    once(start),
  );
  const { until } = await invite(db, links, host, { role: 'colleague', email: 'ben@mail.test' }, once(start));
  return { db, until };
}

test('an invitation to a shop is kept for a month after its end', async () => {
  const { db, until } = await newInvitation();

  await keepHouse(db, until + 26 * day);

  expect(await stored('SELECT email FROM shop_invitations')).toEqual([{ email: 'ben@mail.test' }]);
});

test('an invitation to a shop that is over for a month is deleted', async () => {
  const { db, until } = await newInvitation();

  await keepHouse(db, until + 30 * day);

  expect(await stored('SELECT email FROM shop_invitations')).toEqual([]);
});
