import { expect } from 'vitest';
import { stored } from '../../support/history';
import { consumer, provider } from '../../support/trigger-people';
import { keeps, put, type Row, run } from '../../support/triggers';

const joins = (account: string, details: Row = {}) =>
  put('colleagues', { shop_id: 'shop', account_id: account, role: 'colleague', joined_at: 0, ...details });
/** A shop with its owner. */
async function opened(details: Row = {}): Promise<void> {
  await provider('shop', { role: 'Shop', password_hash: null, ...details });
  await provider('ana');
  await joins('ana', { role: 'owner' });
}
/** A shop of two. */
async function shared(): Promise<void> {
  await opened();
  await provider('bo');
  await joins('bo');
}

keeps('shops_keep_an_owner', 'the last owner keeps that role', async () => {
  await shared();

  const changed = run("UPDATE colleagues SET role = 'desk' WHERE account_id = 'ana'");

  await expect(changed).rejects.toThrow('shop_has_owner');
});

keeps('shops_keep_an_owner_when_one_leaves', 'the last owner does not leave colleagues behind', async () => {
  await shared();

  await expect(run("DELETE FROM colleagues WHERE account_id = 'ana'")).rejects.toThrow('shop_has_owner');
});

keeps('colleagues_share_a_clock', 'a colleague is a provider', async () => {
  await opened();
  await consumer('cy');

  await expect(joins('cy')).rejects.toThrow('colleague_is_provider');
});

keeps('colleagues_share_a_clock', 'nobody joins with another clock', async () => {
  await opened();
  await provider('bo', { time_zone: 'Asia/Kolkata' });

  await expect(joins('bo')).rejects.toThrow('shop_has_one_zone');
});

keeps('colleagues_keep_their_clock', 'nobody changes the clock among colleagues', async () => {
  await shared();

  const changed = run("UPDATE accounts SET time_zone = 'Asia/Kolkata' WHERE id = 'bo'");

  await expect(changed).rejects.toThrow('shop_has_one_zone');
});

keeps('colleagues_take_the_rules_of_the_house', 'the rules of the house hold for who joins', async () => {
  await opened();
  await run("UPDATE accounts SET house_rules = ? WHERE id = 'shop'", '{"notice":60,"perDay":null}');
  await provider('bo', { notice: 5, cancel_until: 7, per_day: 3 });

  await joins('bo');

  expect(await stored("SELECT notice, cancel_until, per_day FROM accounts WHERE id = 'bo'")).toEqual([
    { notice: 60, cancel_until: 7, per_day: null },
  ]);
  expect(await stored("SELECT own_rules FROM colleagues WHERE account_id = 'bo'")).toEqual([
    { own_rules: '{"notice":5,"perDay":3}' },
  ]);
});

keeps('leavers_have_their_own_rules_again', 'who leaves has their own rules again', async () => {
  await opened();
  await provider('bo', { notice: 60, cancel_until: 7 });
  await joins('bo', { own_rules: '{"notice":5,"perDay":3}' });

  await run("DELETE FROM colleagues WHERE account_id = 'bo'");

  expect(await stored("SELECT notice, cancel_until, per_day FROM accounts WHERE id = 'bo'")).toEqual([
    { notice: 5, cancel_until: 7, per_day: 3 },
  ]);
});
