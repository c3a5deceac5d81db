import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from './refusal';

// The runtime writes to SQLite's journal even to read, so on a full disk nothing works. When the disk is full, deleting
// a reserve file makes room, and the server refuses writes until there is enough.

const mebibyte = 2 ** 20;
// SQLite's journal begins anew at 4 MiB.
const reserveSize = 16 * mebibyte;
// If less is free, the disk counts as full.
const leastRoom = 8 * mebibyte;
const lookEveryMs = 10_000;

const reserveIn = (folder: string) => join(folder, 'reserve');

// In bytes.
export type RoomOf = (folder: string) => number;
const roomOnDisk: RoomOf = (folder) => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

export const saysFull = (text: string) => /SQLITE_FULL|ENOSPC|EDQUOT|disk is full/.test(text);

export const fullWords = (folder: string) =>
  `The disk of ${folder} is full: nothing more is written, and pages that only read still work. Make room there.`;

export function giveReserveBack(folder: string, roomOf: RoomOf = roomOnDisk): void {
  if (existsSync(folder) && roomOf(folder) < leastRoom) rmSync(reserveIn(folder), { force: true });
}

/** Writes the reserve file. @returns false if there is no room for it */
function layBy(folder: string, roomOf: RoomOf): boolean {
  const reserve = reserveIn(folder);
  if (statSync(reserve, { throwIfNoEntry: false })?.size === reserveSize) return true;
  rmSync(reserve, { force: true });
  if (roomOf(folder) < reserveSize + leastRoom) return false;
  try {
    // Random, because some file systems compress zeros. Really written, because a quota only counts what is used.
    writeFileSync(reserve, randomBytes(reserveSize + leastRoom), { mode: 0o600 });
    truncateSync(reserve, reserveSize);
    return true;
  } catch (error) {
    rmSync(reserve, { force: true });
    if (saysFull(systemCode(error) ?? '')) return false;
    throw error;
  }
}

export type Disk = { isFull: () => boolean; look: (isSaidFull?: boolean) => void; stop: () => void };

/** Watches the disk. @param turned called when the disk becomes full, and when there is room again */
export function watchDisk(folder: string, turned: (isFull: boolean) => void, roomOf: RoomOf = roomOnDisk): Disk {
  let isFull = !layBy(folder, roomOf);
  const look = (isSaidFull = false) => {
    const now = isFull ? !layBy(folder, roomOf) : isSaidFull || roomOf(folder) < leastRoom;
    if (now) rmSync(reserveIn(folder), { force: true });
    if (now === isFull) return;
    isFull = now;
    turned(isFull);
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return { isFull: () => isFull, look, stop: () => clearInterval(timer) };
}
