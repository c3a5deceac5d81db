/** In bytes. */
export const kibibyte = 1024;

type Body = Request['body'];

/**
 * Reads a body in chunks, until `take` returns false. Returns false where the body broke off: a bad chunk, a client
 * that left.
 */
async function isRead(body: NonNullable<Body>, take: (chunk: Uint8Array) => boolean): Promise<boolean> {
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
 * Reads a body up to `limit` bytes, or returns the status that refuses it: 413 where it is larger, declared or not, 400
 * where it breaks off.
 */
export async function readBody(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  limit: number,
): Promise<string | 400 | 413> {
  if (Number(headers.get('Content-Length') ?? 0) > limit) return 413;
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const isWhole = await isRead(body, (chunk) => {
    size += chunk.byteLength;
    chunks.push(chunk);
    return size <= limit;
  });
  if (!isWhole) return 400;
  return size > limit ? 413 : new Blob(chunks as BlobPart[]).text();
}

/** How many bytes of a refused body we drain. */
const drained = 1024 * kibibyte;

/**
 * Drains up to 1 MiB of a body that was refused unread. A server closes a connection with unread bytes, and so breaks
 * the next request on it.
 */
export async function drain(body: Body): Promise<void> {
  if (!body || body.locked) return;
  let size = 0;
  await isRead(body, (chunk) => {
    size += chunk.byteLength;
    return size <= drained;
  });
}
