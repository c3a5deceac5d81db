import { deepStrictEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { D1 } from '../../app/local/d1';
import { book, dayAhead, type Person, publish, type Row, registerCrowd, registerProvider } from '../support/factories';
import { bringIn, openShop } from '../support/shops';
import { gone, killingOf, untilEnough } from './kill';

const twelve = 12;

/** The appointments that an owner hands over, or that go where their provider leaves; and whether it was acknowledged. */
type Asked = { ids: string[]; isLeaving: boolean; isAcknowledged: boolean };

/** The twelve appointments of an ill colleague go to two others, or they leave and all go along; then the server is killed. */
export const killWithHandOvers = killingOf(async (server, { rounds, chance }) => {
  const crowd = await registerCrowd(server, twelve);
  const shops: Person[][] = [];
  for (let round = 0; round < rounds; round++)
    shops.push([await registerProvider(server), await registerProvider(server), await registerProvider(server)]);
  const all: Asked[] = [];
  return {
    people: [...crowd, ...shops.flat()],
    async write(round, kill) {
      const [owner, ana, ben] = shops[round] as [Person, Person, Person];
      await openShop(owner);
      await bringIn(owner, [ana, ben]);
      const times = { start: '09:00', end: '15:00', dates: [dayAhead(2 + round)] };
      const slots = (await publish(ana, times)) as Row[];
      for (const who of [owner, ben]) await publish(who, times);
      for (const [place, client] of crowd.entries()) await book(client, slots[place] as Row);
      const ids = slots.slice(0, twelve).map(({ id }) => id);
      const moves = ids.map((id, place) => ({ id, to: (place % 2 ? owner : ben).username }));
      const asked: Asked = { ids, isLeaving: !chance.is(0.5), isAcknowledged: false };
      all.push(asked);
      const sent = asked.isLeaving
        ? ana.api('PUT', '/api/Shop/Leave', { appointments: 'handOver' })
        : owner.api('POST', '/api/Shop/HandOver', { moves });
      const busy = sent.catch(gone).then(({ status }) => {
        ok([0, 200, 204].includes(status), `a hand-over is answered by ${status}`);
        asked.isAcknowledged = status !== 0;
      });
      const isSoon = chance.is(0.7);
      await untilEnough(() => isSoon || asked.isAcknowledged);
      await sleep(chance.below(isSoon ? 120 : 20));
      kill();
      await busy;
    },
    async check({ d1 }) {
      for (const asked of all) await checkWhole(d1, asked);
      const acknowledged = all.filter(({ isAcknowledged }) => isAcknowledged);
      const left = acknowledged.filter(({ isLeaving }) => isLeaving).length;
      return { handedOver: acknowledged.length - left, left };
    },
  };
});

/** All twelve are with others, each once and told, or none is. */
async function checkWhole(d1: D1, { ids, isAcknowledged }: Asked): Promise<void> {
  const row = await d1
    .prepare(
      `SELECT count(taken.id) AS many, count(messages.id) AS told FROM json_each(?1)
         JOIN bookings AS gone ON gone.id = value AND gone.status = 2
         JOIN bookings AS taken ON taken.id = gone.moved_to AND taken.status = 1 AND taken.moved_from = gone.id
         LEFT JOIN messages ON messages.id = 'moved:' || gone.told_with || ':' || gone.booker_id`,
    )
    .bind(JSON.stringify(ids))
    .first<{ many: number; told: number }>();
  const whole = isAcknowledged || (row?.many ?? 0) > 0 ? twelve : 0;
  deepStrictEqual({ ...row }, { many: whole, told: whole }, 'a hand-over is whole, or nothing');
}
