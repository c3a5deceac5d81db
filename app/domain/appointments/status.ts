/** The API's numbers for the one life of a slot. */
export const status = { open: 0, booked: 1, canceled: 2 } as const;
export type Status = (typeof status)[keyof typeof status];
