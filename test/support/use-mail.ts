import { beforeAll } from 'vitest';
import { startMailServer } from './mail-server';
import { useServer } from './use-server';

type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** One for all files of a worker, so that the Worker that sends by it can be lent on too. */
let started: MailServer | undefined;

/**
 * A real mail server, empty and willing at first, and the built Worker that sends by it.
 * @param isShared false for a file that makes the outbox wait for a mail server that is gone
 */
export function useMail({ isShared = true } = {}) {
  const running = (): MailServer => {
    if (!started) throw new Error('The mail server runs inside tests and hooks only.');
    return started;
  };
  const vars = { MAIL_URL: '', MAIL_FROM: 'Daybook <book@daybook.test>' };
  beforeAll(async () => {
    started ??= await startMailServer();
    started.behave('take');
    started.arrived.length = 0;
    vars.MAIL_URL = `smtp://localhost:${started.port}`;
  });
  const mailServer: Omit<MailServer, 'atRest' | 'port' | 'stop'> = {
    get arrived() {
      return running().arrived;
    },
    behave: (next) => running().behave(next),
    isTried: () => running().isTried(),
    got: (...asked) => running().got(...asked),
  };
  return { mailServer, daybook: useServer({ vars }, isShared) };
}
