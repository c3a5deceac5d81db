import { createHmac } from 'node:crypto';
import type { Page } from './visit';

/* An authenticator app, written from RFC 6238 and RFC 4648 alone. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(key: string): Buffer {
  const bits = [...key].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The code of this key, `ahead` half minutes from now. */
export function codeOf(key: string, ahead = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const mac = createHmac('sha1', bytesOf(key)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) as number) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** A code that this key does not show now, nor just before or after. */
export const wrongCodeOf = (key: string): string =>
  ['111111', '222222', '333333', '444444'].find(
    (code) => ![-1, 0, 1, 2].some((ahead) => codeOf(key, ahead) === code),
  ) ?? '555555';

/** The key that the screen of the second factor shows. */
export const keyOn = (page: Page): string => page.$('input[readonly]')?.getAttribute('value') ?? '';
