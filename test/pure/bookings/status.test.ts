import { expect, test } from 'vitest';
import { status } from '../../../app/domain/bookings/status';
import { bookingStatus, slotState } from '../../../db/states';

/* Rows of slots and bookings are read as appointments, whose states the API numbers. */

test('a slot has the number of the appointment that it is', () => {
  expect(slotState).toEqual({ open: status.open, full: status.booked, withdrawn: status.canceled });
});

test('a booking has the number of the appointment that it is, and what is only held that of an open time', () => {
  expect(bookingStatus).toEqual({ held: status.open, booked: status.booked, ended: status.canceled });
});
