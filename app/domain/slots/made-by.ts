/** `formerHours`: hours made the slot and no longer include it, but it is booked. */
export const madeBy = { hand: 0, hours: 1, formerHours: 2 } as const;
