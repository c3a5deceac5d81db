/** The states of a slot, in the API's numbers. A slot moves upwards only. */
export const status = { open: 0, booked: 1, canceled: 2 } as const;
export type Status = (typeof status)[keyof typeof status];
