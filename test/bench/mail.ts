import { createServer, type Socket } from 'node:net';
import { type Load, load } from './load';
import { readMeter } from './runtime-process';
import { findTargets, logIn, scenariosOf } from './scenarios';
import { type Say, serving } from './served';
import { number, table } from './table';
import { withCopy } from './world-folder';
import { worldOf } from './world-plan';

/* Bookings while everyone is told by mail: without mail, with a mail server that refuses, and with one that never answers. */

const slots = 100_000;
const [connections, seconds] = [10, 5];

/** A server that takes each connection and says nothing. */
async function silence() {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return {
    port: address.port,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

/** How fast slots are booked over ten connections. */
async function book(mailUrl: string | undefined, say: Say): Promise<Load & { due: number }> {
  const vars = { MAIL_URL: mailUrl, MAIL_FROM: mailUrl && 'Daybook <daybook@example.org>' };
  return withCopy(slots, 'mail', say, (dataDir) =>
    serving(dataDir, { vars }, async (server) => {
      const sessions = await logIn(server.url);
      const targets = await findTargets(server.d1, server.url, sessions, Date.now());
      if (mailUrl) {
        const everyone = `UPDATE accounts SET email = id || '@example.org', email_confirmed_at = 1 WHERE email IS NULL`;
        await server.d1.prepare(everyone).run();
      }
      const one = scenariosOf(worldOf(slots), targets, sessions, server.secrets).find(({ name }) => name === 'Book');
      if (!one) throw new Error('There is no row that books.');
      const loaded = await load(server.url, one.next, {
        connections,
        warmUp: { seconds: 2, requests: 3000 },
        counted: { seconds, requests: Math.ceil((one.most ?? 0) / 2) },
        meter: () => readMeter(server.pid),
      });
      const due = 'SELECT count(*) AS n FROM messages WHERE mail_state IS NOT NULL';
      return { ...loaded, due: (await server.d1.prepare(due).first<number>('n')) ?? 0 };
    }),
  );
}

/** Measures, and prints the table. */
export async function measureMail(say: Say): Promise<boolean> {
  const silent = await silence();
  try {
    const rows: [string, Load & { due: number }][] = [
      ['without mail', await book(undefined, say)],
      ['mail server down', await book('smtp://127.0.0.1:9', say)],
      ['mail server silent', await book(`smtp://127.0.0.1:${silent.port}`, say)],
    ];
    const cells = rows.map(([what, row]) => [
      what,
      ...[number(row.perSecond, 0), number(row.p50), number(row.p99), String(row.refused), number(row.cpu, 2)],
      String(row.due),
      number(row.others === null ? null : row.others * 100, 0),
    ]);
    for (const line of table(['Book', 'req/s', 'p50 ms', 'p99 ms', 'refused', 'CPU ms', 'mails', 'others %'], cells)) {
      say(line);
    }
    return rows.every(([, { refused }]) => refused === 0);
  } finally {
    silent.close();
  }
}
