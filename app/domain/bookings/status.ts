/** The states of a slot, as the API numbers them. The number of a slot never falls. */
export const status = { open: 0, booked: 1, canceled: 2 } as const;
export type Status = (typeof status)[keyof typeof status];
