export const kibibyte = 1024;

/** So much of a refused body is read before the refusal: more than any form that a person fills in. */
const drainLimit = 16 * 1024 * kibibyte;

type Received = Pick<Request, 'headers' | 'body'>;
type Body = Request['body'];

// Null if the body is empty, because reading an empty body takes as long as checking a session.
const bodyOf = ({ headers, body }: Received): Body => (headers.get('Content-Length') === '0' ? null : body);

/** @returns false if the body broke off */
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

/**
 * Reads a body.
 * @returns the text, or the status of a refusal: 413 for more than `limit` bytes, 400 if the body broke off
 */
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
  // What proves too large is read on, for the reason of `drain`: the loop can't leave a body and take it up again.
  const isWhole = await readChunks(body, (chunk) => {
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
    return size <= limit + drainLimit;
  });
  if (size > limit) return 413;
  return isWhole ? new Blob(chunks as BlobPart[]) : 400;
}

/**
 * Reads the rest of a refused body. Otherwise a server closes the connection: the refusal may be lost while the sender still
 * writes, and the next request on it fails.
 */
export async function drain(received: Received): Promise<void> {
  const body = bodyOf(received);
  if (!body || body.locked) return;
  let size = 0;
  await readChunks(body, (chunk) => {
    size += chunk.byteLength;
    return size <= drainLimit;
  });
}
