import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

// Encrypts what must not be readable from the database alone, such as the address of a calendar. The purpose is
// authenticated too, so that no row opens in the place of another.

export type Seals = ReturnType<typeof sealsBy>;

const [nonceLength, tagLength] = [12, 16];

/** @param secrets comma-separated; the last is the oldest, is used here and must never change */
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
    /** Undefined for anything that wasn't sealed for that purpose by this secret. */
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
