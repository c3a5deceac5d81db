import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import { password, publishOne } from '../../support/factories';
import { openApi } from '../../support/openapi';
import { useServer, useWorld } from '../../support/use-server';

/* A program in TypeScript with a client made from the OpenAPI document, as somebody else would write it. */

const daybook = useServer();
const { karla, maya } = useWorld(daybook, { karla: {}, maya: {} });

const program = `
import createClient from 'openapi-fetch';
import type { paths } from './daybook';

const [baseUrl, key, provider = ''] = process.argv.slice(2);
const daybook = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });

const { data: times = [] } = await daybook.GET('/api/Public/Slots', { params: { query: { provider } } });
const id = times[0]?.id ?? '';
const { data: booking } = await daybook.PUT('/api/Appointment/Book', { params: { query: { id } } });
const { data: canceled } = await daybook.PUT('/api/Appointment/Cancel', {
  params: { query: { id: booking?.id ?? '' } },
  body: { reason: 'Ill' },
});
const { error } = await daybook.GET('/api/Appointment/Get', { params: { query: { id: 'none' } } });
console.log(JSON.stringify({ free: times.length, booked: booking?.id, canceled: canceled?.cancelReason, error }));
`;

const mistaken = `
import createClient from 'openapi-fetch';
import type { paths } from './daybook';

const daybook = createClient<paths>();
await daybook.GET('/api/Public/Nothing');
await daybook.GET('/api/Public/Slots', { params: { query: {} } });
await daybook.POST('/api/Account/Register', { body: { username: 'karla' } });
const { data } = await daybook.GET('/api/Account/Profile');
data?.password;
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(root, 'build', 'client-'));
  const made = await openapiTS(JSON.stringify(openApi()));
  await Promise.all([
    writeFile(join(folder, 'daybook.ts'), astToString(made)),
    writeFile(join(folder, 'program.ts'), program),
    writeFile(join(folder, 'mistaken.ts'), mistaken),
  ]);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Compiles a file of the folder, and gives the lines in which something is wrong. */
function faultsOf(file: string): string[] {
  const compiled = ts.createProgram([join(folder, file)], {
    strict: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  });
  compiled.emit();
  return ts.getPreEmitDiagnostics(compiled).map(({ file: source, start = 0, messageText }) => {
    const text = source?.text ?? '';
    const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', start)).trim();
    return source?.fileName.endsWith(file) ? line : `${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

test('a program with a client made from the document compiles, and books and cancels with a key', async () => {
  await publishOne(karla);
  const wish = { name: 'Till', scope: 'write', password };
  const { key } = (await maya.api('POST', '/api/Account/MakeKey', wish)).json as { key: string };

  expect(faultsOf('program.ts')).toEqual([]);
  const args = [join(folder, 'program.js'), daybook.url, key, karla.username];
  const { stdout } = await promisify(execFile)(process.execPath, args);

  expect(JSON.parse(stdout)).toMatchObject({ free: 1, booked: expect.any(String), canceled: 'Ill' });
  expect(JSON.parse(stdout).error).toEqual(expect.any(String));
});

test('a program that is mistaken about a call does not compile', () => {
  const wrong = mistaken.split('\n').filter((line) => /Nothing|query: \{\}|Register|password/.test(line));

  expect(new Set(faultsOf('mistaken.ts'))).toEqual(new Set(wrong));
});
