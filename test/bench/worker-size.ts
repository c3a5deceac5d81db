import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../../app/local/root';

/** In KiB of gzip. */
export const mostOfWorker = 682;

/** The size of dist/worker.js as it would be deployed, in KiB. */
export function weighWorker(): { raw: number; gzip: number } {
  const bytes = readFileSync(join(root, 'dist/worker.js'));
  return { raw: bytes.length / 1024, gzip: gzipSync(bytes, { level: 9 }).length / 1024 };
}
