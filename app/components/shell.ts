import { useRouteLoaderData } from '@remix-run/react';
import type { Role } from '../domain/accounts';

/** What every screen knows: who is reading, in which zone, and a one-time key for the forms of this page. */
export type Shell = {
  once: string;
  /** The account's zone, else what the edge saw; null where nobody knows. */
  readerZone: string | null;
  /** Names are null where storage could not be asked. */
  reader: { displayName: string | null; username: string | null; role: Role } | null;
};

/** The shell of this page. The error page of a refused request may have none. */
export function useShell(): Shell {
  return useRouteLoaderData<Shell>('root') ?? { once: '', readerZone: null, reader: null };
}
