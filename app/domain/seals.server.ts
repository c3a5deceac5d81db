import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

// Encrypts what the database alone must not reveal, such as the address of a calendar. The purpose is authenticated
// too, so that a sealed text opens only where it belongs.

export type Seals = ReturnType<typeof sealsBy>;

const [nonceLength, tagLength] = [12, 16];

/**
 * Makes the functions that seal and open.
 * @param secrets comma-separated; only the last, the oldest, is used here, and it must never change
 */
export function sealsBy(secrets: string) {
  const secret = secrets.split(',').at(-1)?.trim() ?? '';
  const key = () => createHmac('sha256', secret).update('key of seals').digest();
  return {
    seal(purpose: string, text: string): string {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key(), nonce);
      cipher.setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    /** Opens a sealed text; undefined if this secret did not seal it for this purpose. */
    open(purpose: string, sealed: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceLength + tagLength) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key(), bytes.subarray(0, nonceLength));
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
      try {
        const text = decipher.update(bytes.subarray(nonceLength + tagLength));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
