import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { decode } from '@jridgewell/sourcemap-codec';
import { root } from '../../app/local/root';

/** Sizes in KiB. `parts` are minified, largest first; `gzip` of a part is that of its code alone. */
export type WorkerSize = { raw: number; gzip: number; parts: { part: string; raw: number; gzip: number }[] };

/** In KiB of gzip. */
export const mostOfWorker = 515;

const kibibytes = (bytes: number) => bytes / 1024;

/** The part of a source: a package by name, our own by its folder. */
function partOf(source: string | null): string {
  if (source === null) return 'glue of the bundler';
  const packages = source.split('node_modules/');
  if (packages.length > 1) {
    const [scope = '', name = ''] = (packages.at(-1) ?? '').split('/');
    return scope.startsWith('@') ? `${scope}/${name}` : scope;
  }
  const own = /(?:^|\/)((?:app\/\w+|db|public))\//.exec(source)?.[1];
  if (own) return own;
  return /(?:^|\/)app\//.test(source) ? 'app' : 'glue of the bundler';
}

/** The code of each part, by the source map: every mapped stretch belongs to the part it came from. */
function codeByPart(code: string, map: { mappings: string; sources: (string | null)[] }): Map<string, string> {
  const parts = new Map<string, string[]>();
  const lines = code.split('\n');
  for (const [row, segments] of decode(map.mappings).entries()) {
    const line = `${lines[row] ?? ''}\n`;
    const starts = [[0] as const, ...segments];
    for (const [place, segment] of starts.entries()) {
      const end = starts[place + 1]?.[0] ?? line.length;
      const source = segment.length > 1 ? (map.sources[segment[1] as number] ?? null) : null;
      const part = partOf(source);
      const pieces = parts.get(part) ?? [];
      pieces.push(line.slice(segment[0], end));
      parts.set(part, pieces);
    }
  }
  return new Map([...parts].map(([part, pieces]) => [part, pieces.join('')]));
}

/** Weighs dist/worker.js as it would be deployed. */
export function weighWorker(): WorkerSize {
  const path = join(root, 'dist/worker.js');
  const bytes = readFileSync(path);
  const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'));
  const parts = [...codeByPart(bytes.toString('utf8'), map)]
    .map(([part, code]) => ({
      part,
      raw: kibibytes(Buffer.byteLength(code)),
      gzip: kibibytes(gzipSync(code, { level: 9 }).length),
    }))
    .sort((one, other) => other.raw - one.raw);
  return { raw: kibibytes(bytes.length), gzip: kibibytes(gzipSync(bytes, { level: 9 }).length), parts };
}
