import type { Appointment } from '../bookings/appointments';
import type { Service } from '../services/services';
import { minute } from '../time/clock';

/** What can be booked at a time: in free time any service for one person; a slot for a service is for that one only. */
export const servicesAt = ({ service }: Pick<Appointment, 'service'>, offered: Service[]): Service[] =>
  service === null ? offered.filter(({ seats }) => seats === 1) : [];

/** A time as it will be booked: as long as the service. */
export const asBookedFor = (
  slot: Appointment,
  {
    id,
    name,
    price,
    deposit,
    where,
    minutes,
  }: Pick<Service, 'id' | 'name' | 'price' | 'deposit' | 'where' | 'minutes'>,
): Appointment => ({
  ...slot,
  service: { id, name, price, deposit },
  where,
  endsAt: slot.service ? slot.endsAt : slot.startsAt + minutes * minute,
});
