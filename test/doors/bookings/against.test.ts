import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { raceAgainst, racedWords } from '../../habits/against';
import * as daybookForm from '../../habits/schedulers/daybook';
import * as example from '../../habits/schedulers/example';
import { peopleAt, publish } from '../../support/factories';
import { useServer } from '../../support/use-server';

/* The race that anyone can run at a scheduler, which has to tell one that books twice from one that doesn't. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

/** Serves a scheduler with two times that looks whether a time is free, and books it a moment later; or in one step. */
async function serveTimes({ isCareless }: { isCareless: boolean }) {
  const taken = new Set<string>();
  const server = createServer(async (request, response) => {
    if (request.method === 'GET')
      return response.end(JSON.stringify(['a', 'b'].filter((id) => !taken.has(id)).map((id) => ({ id }))));
    const { time } = JSON.parse(await text(request)) as { time: string };
    const isFree = !taken.has(time);
    if (isCareless) await sleep(20);
    if (isFree) taken.add(time);
    return response.writeHead(isFree ? 201 : 409).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => void server.close() };
}

test('of fifty guests at once one gets the time, by the form without script', async () => {
  const host = await newProvider();
  await publish(host);

  const raced = await raceAgainst(daybookForm, `${daybook.url}/with/${host.username}`, 50);

  expect(raced).toMatchObject({ booked: 1, gone: 49, unclear: [], isShownAfter: false });
});

test.each([true, false])('a scheduler that looks first and then books is found out (%s)', async (isCareless) => {
  await using scheduler = await serveTimes({ isCareless });

  const raced = await raceAgainst(example, scheduler.url, 10);

  expect(raced).toMatchObject(isCareless ? { booked: 10, gone: 0 } : { booked: 1, gone: 9 });
  expect(racedWords(raced)[1]).toContain(`${raced.booked} of 10 at once were told that they have it`);
});

test('a page without a free time says so', async () => {
  const host = await newProvider();

  await expect(raceAgainst(daybookForm, `${daybook.url}/with/${host.username}`, 2)).rejects.toThrow(
    'shows no free time',
  );
});
