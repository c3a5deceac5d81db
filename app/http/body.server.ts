export const kibibyte = 1024;

type Received = Pick<Request, 'headers' | 'body'>;
type Body = Request['body'];

// Null if empty, because reading an empty body takes as long as checking a session.
const bodyOf = ({ headers, body }: Received): Body => (headers.get('Content-Length') === '0' ? null : body);

/** @returns false for a body that broke off */
async function readChunks(body: NonNullable<Body>, take: (chunk: Uint8Array) => boolean): Promise<boolean> {
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      if (!take(chunk)) break;
    }
    return true;
  } catch {
    return false;
  }
}

/** @returns the text, or the status that refuses it: 413 above `limit` bytes, 400 if it broke off */
export async function readBody(received: Received, limit: number): Promise<string | 400 | 413> {
  const blob = await readBlob(received, limit);
  return typeof blob === 'number' ? blob : blob.text();
}

export async function readBlob(received: Received, limit: number): Promise<Blob | 400 | 413> {
  if (Number(received.headers.get('Content-Length') ?? 0) > limit) return 413;
  const body = bodyOf(received);
  if (!body) return new Blob([]);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const isWhole = await readChunks(body, (chunk) => {
    size += chunk.byteLength;
    chunks.push(chunk);
    return size <= limit;
  });
  if (!isWhole) return 400;
  return size > limit ? 413 : new Blob(chunks as BlobPart[]);
}

const drainLimit = 1024 * kibibyte;

/** Drains a refused body, up to 1 MiB: a server closes a connection with unread bytes, and so breaks the next request on it. */
export async function drain(received: Received): Promise<void> {
  const body = bodyOf(received);
  if (!body || body.locked) return;
  let size = 0;
  await readChunks(body, (chunk) => {
    size += chunk.byteLength;
    return size <= drainLimit;
  });
}
