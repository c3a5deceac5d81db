import { setTimeout as sleep } from 'node:timers/promises';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/**
 * The behaviour of a mail server in a test. It may hang up within a mail, or after it and before it answers.
 * `closed`: it lets nobody in. `silent`, `dawdle`: it doesn't greet, or take a recipient, until its behaviour changes.
 */
type Manner =
  | 'closed'
  | 'silent'
  | 'take'
  | 'refuse for good'
  | 'refuse for now'
  | 'hang up'
  | 'take and hang up'
  | 'dawdle';

/** Addresses there are refused for good, whatever the behaviour. */
export const refusedDomain = 'refused.test';

/** A mail as the server got it. */
export type Arrived = {
  mail: ParsedMail;
  raw: string;
  to: string;
  isEncrypted: boolean;
  login: string | undefined;
  connection: string;
};

const patience = 10_000;
const refusal = (responseCode: number) => Object.assign(new Error('No.'), { responseCode });

/** Starts a real mail server on any free port of this machine. @param options such as a certificate */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const arrived: Arrived[] = [];
  let manner: Manner = 'take';
  let isTried = false;
  let receiving = 0;
  const dawdling: (() => void)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.secure ? [] : ['STARTTLS'],
    closeTimeout: 100,
    ...options,
    onAuth: ({ username, password }, _, done) => done(null, { user: `${username}:${password}` }),
    onConnect(_, done) {
      if (manner === 'silent') {
        isTried = true;
        return void dawdling.push(done);
      }
      if (manner !== 'closed') return done();
      isTried = true;
      done(refusal(421));
    },
    onRcptTo({ address }, __, done) {
      isTried = true;
      if (manner === 'refuse for good' || address.endsWith(`@${refusedDomain}`)) return done(refusal(550));
      if (manner === 'refuse for now') return done(refusal(451));
      if (manner === 'dawdle') return void dawdling.push(done);
      done();
    },
    async onData(stream, session, done) {
      const hangUp = () => {
        for (const connection of server.connections) connection.close();
      };
      if (manner === 'hang up') return hangUp();
      const parts: Buffer[] = [];
      try {
        for await (const part of stream) parts.push(part as Buffer);
      } catch (left) {
        // The sender stopped in the middle: no mail.
        return done(left as Error);
      }
      const raw = Buffer.concat(parts);
      receiving += 1;
      arrived.push({
        mail: await simpleParser(raw).finally(() => {
          receiving -= 1;
        }),
        raw: raw.toString(),
        to: session.envelope.rcptTo.map(({ address }) => address).join(),
        isEncrypted: session.secure,
        login: session.user,
        connection: session.id,
      });
      if (manner === 'take and hang up') return hangUp();
      done();
    },
  });
  // A client that leaves in the middle is part of some tests.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  if (typeof address !== 'object' || !address) throw new Error('The mail server has no port.');

  const eventually = async <Value>(what: string, look: () => Value | undefined): Promise<Value> => {
    for (const end = Date.now() + patience; Date.now() < end; await sleep(20)) {
      const found = look();
      if (found !== undefined) return found;
    }
    throw new Error(`${what} within ${patience / 1000} s.`);
  };
  return {
    port: address.port,
    arrived,
    behave(next: Manner) {
      manner = next;
      isTried = false;
      for (const done of dawdling.splice(0)) done();
    },
    /** Waits for a try since its behaviour changed. */
    isTried: () => eventually('Nobody tried to send a mail', () => isTried || undefined),
    /** Waits for a mail to an address with such a subject. @param after skips so many earlier mails */
    got: (to: string, subject: RegExp, after = 0) =>
      eventually(`No mail to ${to} with ${subject} came`, () =>
        arrived.slice(after).find((one) => one.to === to && subject.test(one.mail.subject ?? '')),
      ),
    /** Waits until all that a sender who is gone has left behind is here. */
    atRest: () =>
      eventually('It still receives a mail', () =>
        server.connections.size === 0 && receiving === 0 ? true : undefined,
      ),
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
