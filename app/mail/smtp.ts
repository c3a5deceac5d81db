import net from 'node:net';
import tls from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Mail, type Outcome, patience, type Sender, type Transport } from '../domain/messages/mail';
import { compose } from './compose';

/** What nodemailer adds to the errors of a mail server. */
type SmtpError = Error & { code?: string; responseCode?: number };

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);

/** A failure as an outcome. Replies of 500 and above are final, but for a refused login: the operator may mend that. */
function outcomeOf(error: unknown, isUnreachable: boolean): Outcome {
  const { code = 'EUNKNOWN', responseCode = 0 } = error as SmtpError;
  const isFinal = responseCode >= 500 && code !== 'EAUTH';
  // The server's own words may hold the address, so only its numbers are kept.
  return { isSent: false, isFinal, isUnreachable, reason: responseCode ? `${code} ${responseCode}` : code };
}

/**
 * Opens the connection itself: nodemailer looks the name up over HTTP where it runs in a Worker, and sets an option of
 * TLS that a Worker does not have.
 */
function open(host: string, port: number, isSecure: boolean): Promise<net.Socket> {
  const socket = isSecure ? tls.connect({ host, port, servername: host }) : net.connect({ host, port });
  return new Promise((resolve, reject) => {
    const fail = (code: string) => {
      socket.destroy();
      reject(Object.assign(new Error('The mail server can not be reached.'), { code }));
    };
    const timer = setTimeout(() => fail('ETIMEDOUT'), patience);
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

/**
 * Mail over SMTP. `smtps:` is encrypted from the start; `smtp:` becomes so by STARTTLS, and must where a password is sent
 * to another machine.
 * @param url `smtps://user:password@host:465` or `smtp://host:587`; user and password percent-encoded
 */
export function smtpTransport(url: URL, from: Sender): Transport {
  const isSecure = url.protocol === 'smtps:';
  const host = url.hostname;
  const port = Number(url.port) || (isSecure ? 465 : 587);
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];

  async function send(mail: Mail, isReady: () => void): Promise<void> {
    const message = await compose(mail, from);
    const connection = new SMTPConnection({
      connection: await open(host, port, isSecure),
      secured: isSecure,
      secure: isSecure,
      requireTLS: !isSecure && user !== '' && !isLoopback(host),
      host,
      port,
      name: from.address.split('@')[1],
      connectionTimeout: patience,
      greetingTimeout: patience,
      socketTimeout: patience,
    });
    try {
      // A connection that breaks is told by this event only, whatever is under way.
      await new Promise<void>((resolve, reject) => {
        const next = (then: () => void) => (error?: Error | null) => (error ? reject(error) : then());
        const deliver = () => {
          isReady();
          connection.send(
            { from: from.address, to: [mail.to] },
            message,
            next(resolve) as (error: Error | null) => void,
          );
        };
        connection.once('error', reject);
        connection.once('end', () =>
          reject(Object.assign(new Error('The mail server hung up.'), { code: 'ECONNECTION' })),
        );
        connection.connect(next(() => (user ? connection.login({ user, pass }, next(deliver)) : deliver())));
      });
    } finally {
      connection.close();
    }
  }

  return async (mail) => {
    let isReached = false;
    try {
      await send(mail, () => {
        isReached = true;
      });
      return { isSent: true };
    } catch (error) {
      return outcomeOf(error, !isReached);
    }
  };
}
