import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serving } from '../../habits/tool';
import { book, dayAhead, publish, type Row, registerConsumer, registerProvider } from '../../support/factories';
import { addressOf, run } from '../../support/process';
import { useReceiver } from '../../support/webhook-receiver';

const receiver = useReceiver();

test('what a killed server had acknowledged is told by the next one', { timeout: 120_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const vars = { ASK_LOOPBACK: 'on' };
  const folder = { dataDir, vars, log: () => {} };
  const { program, slots, maya } = await serving(folder, async (server) => {
    const [host, maya] = [await registerProvider(server), await registerConsumer(server)];
    const program = await receiver.addFor(host);
    return { program, maya, slots: await publish(host, { dates: [dayAhead(1)] }) };
  });
  const running = run('start', { RATE_LIMIT: 'off', ...vars, PORT: '0', DATA_DIR: dataDir, SEED: 'off' });
  Object.assign(maya.browser, { url: await addressOf(running) });
  const [slot] = slots as [Row];
  // The outbox waits a quarter of a second for more.
  const booked = await book(maya, slot).finally(() => running.child.kill('SIGKILL'));
  await running.ended;
  await serving(folder, async (server) => {
    await server.scheduled();
    await expect.poll(() => program.told.map(({ data }) => data.id), { timeout: 20_000 }).toContain(slot.id);
  });

  expect(booked.status).toBe(200);
});
