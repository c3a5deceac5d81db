import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { saysFull } from './disk';
import { takeLock } from './lock';
import { Refusal, systemCode } from './refusal';

/** SESSION_SECRETS is comma-separated: the first signs, all are accepted. */
export type Secrets = { SESSION_SECRETS: string; PASSWORD_PEPPER: string };

/**
 * Locks the data folder until this process ends or calls the returned function.
 * @throws Refusal if the folder can't be written, or a running server is using it
 */
export async function lockFolder(folder: string): Promise<() => void> {
  try {
    makeFolder(folder);
    const lock = await takeLock(join(folder, 'server.lock'));
    if ('release' in lock) return lock.release;
    const holder = lock.holder === 0 ? 'another running server' : `another running server (process ${lock.holder})`;
    throw new Refusal(`The data folder ${folder} is in use by ${holder}. Stop it, or set DATA_DIR to another folder.`);
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof Error)) throw error;
    if (saysFull(error.message)) throw new Refusal(`The disk of ${folder} is full. Make room there, and start again.`);
    const [reason] = error.message.split(',');
    throw new Refusal(
      `Cannot write to the data folder ${folder} (${reason}). Set DATA_DIR to a folder that can be made.`,
    );
  }
}

// The folder holds mail, secrets and everybody's appointments.
const ownersOnly = 0o700;

// mkdir's own `recursive` never returns for a path below /proc.
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: ownersOnly });
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && statSync(path).isDirectory()) {
      closeFolder(path);
      return;
    }
    if (systemCode(error) !== 'ENOENT' || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: ownersOnly });
  }
}

// If the folder also contains files of others, its permissions stay.
function closeFolder(path: string): void {
  const isOurs = readdirSync(path).every((name) => ours.test(name));
  if (isOurs && process.getuid?.() === statSync(path).uid) chmodSync(path, ownersOnly);
}
const ours = /^(v3|mail|secrets\.json|reserve|backup-door\.json|seeding|server\.lock)/;

/**
 * Reads the secrets, or makes them on first use. It never replaces a damaged file, because without the old pepper
 * nobody could log in.
 * @param isNew false if the folder has a database, whose secrets can't be made again
 */
export function secretsOf(folder: string, { isNew }: { isNew: boolean }): Secrets {
  const path = join(folder, 'secrets.json');
  if (!existsSync(path)) {
    if (!isNew) {
      throw new Refusal(
        `${folder} has a book, but not its secrets: with new ones nobody could log in. Put the secrets.json of that book into ${path}, or its texts into SESSION_SECRETS and PASSWORD_PEPPER.`,
      );
    }
    const secrets: Secrets = { SESSION_SECRETS: randomSecret(), PASSWORD_PEPPER: randomSecret() };
    writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  const secrets = parse(readFileSync(path, 'utf8'));
  if (!secrets) throw new Refusal(`${path} is damaged. Put its backup in place, or set DATA_DIR to a new folder.`);
  return secrets;
}

function parse(text: string): Secrets | undefined {
  try {
    const { SESSION_SECRETS, PASSWORD_PEPPER }: Partial<Record<string, unknown>> = JSON.parse(text);
    if (typeof SESSION_SECRETS !== 'string' || typeof PASSWORD_PEPPER !== 'string') return undefined;
    return { SESSION_SECRETS, PASSWORD_PEPPER };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
