import net from 'node:net';
import tls from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { type Mail, type Outcome, type Sender, sendTimeout, type Transport } from '../domain/messages/mail';
import { compose } from './compose';

type SmtpError = Error & { code?: string; responseCode?: number };

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
      reject(Object.assign(new Error('The mail server can not be reached.'), { code }));
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

  async function send(mail: Mail, isReady: () => void): Promise<void> {
    const message = compose(mail, from);
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
      connectionTimeout: sendTimeout,
      greetingTimeout: sendTimeout,
      socketTimeout: sendTimeout,
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      // A broken connection is only announced by this event.
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
        timer = setTimeout(
          () => reject(Object.assign(new Error('The mail server is silent.'), { code: 'ETIMEDOUT' })),
          sendTimeout,
        );
        connection.once('error', reject);
        connection.once('end', () =>
          reject(Object.assign(new Error('The mail server hung up.'), { code: 'ECONNECTION' })),
        );
        connection.connect(next(() => (user ? connection.login({ user, pass }, next(deliver)) : deliver())));
      });
    } finally {
      clearTimeout(timer);
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
