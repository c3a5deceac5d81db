import { connect } from 'node:net';

/**
 * Sends bytes that no HTTP client would, and reads the response until the server closes the connection
 * or falls silent.
 */
export function sendRaw(port: number, text: string, quietMs = 1_500): Promise<string> {
  return new Promise((resolve, reject) => {
    let answered = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    const done = () => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(quietMs, done);
    socket.on('data', (chunk) => {
      answered += String(chunk);
    });
    socket.once('end', done);
    socket.once('error', reject);
  });
}

/** Sends the beginning of a request and leaves, like a browser that is closed. */
export function sendAndLeave(port: number, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 100));
    });
    socket.once('close', () => resolve());
    socket.once('error', reject);
  });
}
