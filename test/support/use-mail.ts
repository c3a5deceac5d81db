import { afterAll, beforeAll } from 'vitest';
import { startMailServer } from './mail-server';
import { useServer } from './use-server';

type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** A real mail server for all tests of a file, and the built Worker that sends by it. */
export function useMail() {
  let started: MailServer | undefined;
  const running = (): MailServer => {
    if (!started) throw new Error('The mail server runs inside tests and hooks only.');
    return started;
  };
  const vars = { MAIL_URL: '', MAIL_FROM: 'Daybook <book@daybook.test>' };
  beforeAll(async () => {
    started = await startMailServer();
    vars.MAIL_URL = `smtp://localhost:${started.port}`;
  });
  afterAll(() => started?.stop());
  const mailServer: Omit<MailServer, 'port' | 'stop'> = {
    get arrived() {
      return running().arrived;
    },
    behave: (next) => running().behave(next),
    tries: () => running().tries(),
    isTried: () => running().isTried(),
    got: (...asked) => running().got(...asked),
  };
  return { mailServer, daybook: useServer({ vars }) };
}
