import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { root } from '../../app/local/root';
import { follow, type Running } from './process';

/** The versions that the product is tested on, beside the one that runs the tests. README.md names them. */
export const testedNodes = ['22.23.3', '24.21.0'];

const { platform, arch } = process;
// The package `node` runs a script to install one of these. npm is to run no scripts that nobody has allowed.
const packageName = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;

/** The folder of fetched versions. `npm ci` empties it, and npm then has the packages in its own cache. */
export const nodesFolder = join(root, 'node_modules/.cache/nodes');

/**
 * Fetches a version of Node from the npm registry, unless the folder has it.
 * @param settings of npm, as variables
 * @returns the folder of its `node`
 * @throws Error that says what is missing
 */
export async function fetchNode(
  version: string,
  folder = nodesFolder,
  settings: Record<string, string> = {},
): Promise<string> {
  const home = join(folder, version);
  if (existsSync(join(home, 'node'))) return home;
  await mkdir(home, { recursive: true });
  const prefix = await mkdtemp(join(home, 'fetching-'));
  try {
    const options = [
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefer-offline',
      '--loglevel=error',
    ];
    const args = ['install', '--prefix', prefix, ...options, `${packageName}@${version}`];
    const env = { ...process.env, ...settings };
    const { code, stderr } = await follow(spawn('npm', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })).ended;
    if (code !== 0)
      throw new Error(
        `Node ${version} is not here, and npm could not fetch ${packageName}@${version}. The tests on other versions of Node need the npm registry once.\n${stderr}`,
      );
    // Whole or not at all, also if two runs fetch at once.
    await rename(join(prefix, 'node_modules', packageName, 'bin/node'), join(home, 'node'));
  } finally {
    await rm(prefix, { recursive: true, force: true });
  }
  return home;
}

// Not the settings of the tests around: their share, their seeds, their build mode.
const kept = ['HOME', 'TMPDIR', 'CHROMIUM_PATH'];

/** Runs a command in a copy of the product, in a group of processes of its own, with the `node` of this folder. */
export function runOn(
  node: string,
  copy: string,
  settings: Record<string, string>,
  ...words: [string, ...string[]]
): Running {
  const inherited = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const env = {
    ...Object.fromEntries(inherited),
    PATH: [node, process.env.PATH].join(delimiter),
    WRANGLER_SEND_METRICS: 'false',
    npm_config_update_notifier: 'false',
    ...settings,
  };
  const [command, ...args] = words;
  return follow(spawn(command, args, { cwd: copy, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Ends a command and all that it has started. */
export function endGroup({ child }: Running, signal: NodeJS.Signals): void {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal);
}
