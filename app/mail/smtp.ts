import net from 'node:net';
import tls from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Mail, type Outcome, type Sender, sendTimeout, type Transport } from '../domain/messages/mail';
import { compose } from './compose';

type SmtpError = Error & { code?: string; responseCode?: number };
const smtpError = (message: string, code: string): SmtpError => Object.assign(new Error(message), { code });

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);

// A refused login is not final, because the operator can correct it.
function outcomeOf(error: unknown, isUnreachable: boolean): Outcome {
  const { code = 'EUNKNOWN', responseCode = 0 } = error as SmtpError;
  const isFinal = responseCode >= 500 && code !== 'EAUTH';
  // We don't log the server's own words, because they may contain the address.
  return { isSent: false, isFinal, isUnreachable, reason: responseCode ? `${code} ${responseCode}` : code };
}

// Opens the connection here: in a Worker, nodemailer would look the name up over HTTP and set an option of TLS that
// Workers lack.
function open(host: string, port: number, isSecure: boolean): Promise<net.Socket> {
  const socket = isSecure ? tls.connect({ host, port, servername: host }) : net.connect({ host, port });
  return new Promise((resolve, reject) => {
    const fail = (code: string) => {
      socket.destroy();
      reject(smtpError('The mail server can not be reached.', code));
    };
    const timer = setTimeout(() => fail('ETIMEDOUT'), sendTimeout);
    socket.once('error', () => {
      clearTimeout(timer);
      fail('ECONNECTION');
    });
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

type Connection = {
  send(mail: Mail): Promise<void>;
  /** Makes a connection ready for another mail after one was refused. */
  reset(): Promise<void>;
  close(): void;
};

/**
 * Sends mail by SMTP. `smtps:` is encrypted from the start; `smtp:` uses STARTTLS, and requires it if it sends a
 * password to another machine.
 * @param url `smtps://user:password@host:465` or `smtp://host:587`, percent-encoded
 */
export function smtpTransport(url: URL, from: Sender): Transport {
  const isSecure = url.protocol === 'smtps:';
  const host = url.hostname;
  const port = Number(url.port) || (isSecure ? 465 : 587);
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];

  async function connect(): Promise<Connection> {
    const socket = await open(host, port, isSecure);
    // While a socket has a timeout, workerd adds a timer and a listener for each packet, and removes none of them.
    socket.setTimeout = () => socket;
    const connection = new SMTPConnection({
      connection: socket,
      secured: isSecure,
      secure: isSecure,
      requireTLS: !isSecure && user !== '' && !isLoopback(host),
      host,
      port,
      name: from.address.split('@')[1],
    });
    // A broken connection is only announced by these events.
    const broken = new Promise<never>((_, reject) => {
      connection.on('error', reject);
      connection.once('end', () => reject(smtpError('The mail server hung up.', 'ECONNECTION')));
    });
    // It may break while nobody waits for it.
    broken.catch(() => {});

    async function step(start: (done: (error?: Error | null) => void) => void): Promise<void> {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const answered = new Promise<void>((resolve, reject) => {
        timer = setTimeout(() => reject(smtpError('The mail server is silent.', 'ETIMEDOUT')), sendTimeout);
        start((error) => (error ? reject(error) : resolve()));
      });
      await Promise.race([answered, broken]).finally(() => clearTimeout(timer));
    }

    try {
      await step((done) => connection.connect(done));
      if (user) await step((done) => connection.login({ user, pass }, done));
    } catch (error) {
      connection.close();
      throw error;
    }
    return {
      send: (mail) => step((done) => connection.send({ from: from.address, to: [mail.to] }, compose(mail, from), done)),
      reset: () => step((done) => connection.reset(done)),
      close: () => connection.close(),
    };
  }

  // One after the other by one connection, because connecting takes longer than a mail.
  return (mails) => {
    if (mails.length === 0) return [];
    const connecting = connect();
    let isBroken = false;

    async function sendNext(mail: Mail): Promise<Outcome> {
      if (isBroken) return { isSent: false, isFinal: false, isUntried: true, reason: 'ECONNECTION' };
      let connection: Connection | undefined;
      try {
        connection = await connecting;
        await connection.send(mail);
        return { isSent: true };
      } catch (error) {
        if (connection) isBroken = !(await canGoOn(connection, error));
        return outcomeOf(error, !connection);
      }
    }

    const outcomes: Promise<Outcome>[] = [];
    for (const mail of mails) outcomes.push((outcomes.at(-1) ?? Promise.resolve()).then(() => sendNext(mail)));
    void Promise.all(outcomes)
      .then(async () => (await connecting).close())
      .catch(() => {});
    return outcomes;
  };
}

/** Whether a connection takes another mail after an error: not unless the server refused the last one in words. */
async function canGoOn(connection: Connection, error: unknown): Promise<boolean> {
  if (!(error as SmtpError).responseCode) return false;
  return connection.reset().then(
    () => true,
    () => false,
  );
}
