import type { Appointment } from '../../domain/bookings/appointments';
import { termsText } from '../../domain/bookings/terms';

type Props = Pick<Appointment, 'startsAt' | 'endsAt'> & {
  /** The chosen service; null for the time as it is. */
  chosen: string | null;
  /** What is booked at this time, a class too. */
  service: Appointment['service'];
};

/** Hidden fields: the chosen service, and its terms as the page says them. */
export const ServiceField = ({ chosen, service, startsAt, endsAt }: Props) => (
  <>
    {chosen && <input type="hidden" name="service" value={chosen} />}
    {service && <input type="hidden" name="terms" value={termsText({ service, startsAt, endsAt })} />}
  </>
);
