import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

// The headless shell first, because it takes a third of the processor time.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of a Chromium on this machine: CHROMIUM_PATH, else what is on PATH or in the usual places. */
function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'];
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...macPaths].find(isExecutable);
}

/**
 * The path of a Chromium, which apt installs if there is none.
 * @throws Error that says what to install
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (found) return found;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw new Error('The browser tests need Chromium or Chrome: install one, or set CHROMIUM_PATH to its executable.');
  }
  apt('update');
  const isKnown = (name: string) => spawnSync('apt-cache', ['show', name]).status === 0;
  const name = isKnown('chromium-headless-shell') ? 'chromium-headless-shell' : 'chromium';
  apt('install', '-y', '--no-install-recommends', name, 'fonts-liberation');
  const installed = findChromium();
  if (!installed) throw new Error('Chromium was installed, but its executable was not found: set CHROMIUM_PATH to it.');
  return installed;
}

/** Opens a headless Chromium that has never been used before. */
export function launchChromium(...more: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: ensureChromium(), headless: true, args: [...flags, ...more] });
}

function apt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, error, stdout, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env });
  if (error) throw error;
  if (status !== 0) throw new Error(`apt-get ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

function isExecutable(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
}
