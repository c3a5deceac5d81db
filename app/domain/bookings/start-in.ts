import type { Instant } from '../time/clock';

/** The start in the id of a slot or booking; NaN if it has none. */
export const startIn = (id: string): Instant => Number(id.slice(-25, -12) || Number.NaN);
