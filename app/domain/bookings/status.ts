/**
 * What an appointment that is read is, as the API numbers it: an open time, a booking, or one of both that is no more. A class with
 * a free seat is open, and may be so again. Columns of bookings and slots have the same numbers, so they are read as they are; rows
 * are written by the names of `bookingStatus` and `slotState`, which are the states of the two tables.
 */
export const status = { open: 0, booked: 1, canceled: 2 } as const;
export type Status = (typeof status)[keyof typeof status];
