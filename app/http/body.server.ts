/** In bytes. */
export const kibibyte = 1024;

/** Reads a body up to a size in bytes, declared or not; null where it is larger. */
export async function readBody(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  limit: number,
): Promise<string | null> {
  if (Number(headers.get('Content-Length') ?? 0) > limit) return null;
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return new Blob(chunks as BlobPart[]).text();
}

/**
 * Reads what is left, up to 1 MiB, of a body that was refused unread: a server closes a connection that has some, under the
 * next request of whoever keeps it open.
 */
export async function drain(body: Request['body']): Promise<void> {
  if (body && !body.locked) await readBody({ headers: new Headers(), body }, 1024 * kibibyte);
}
