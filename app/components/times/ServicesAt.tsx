import { msg } from '@lingui/core/macro';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Service } from '../../domain/services/services';
import { ServiceLinks } from '../ServiceLinks';
import { Leaf, SpanTimes } from './Time';

export const askedWords = msg`What do you come for?`;

type Props = { appointment: Appointment; services: Service[]; to: (service: string) => string };

/** A time, and the services among which whoever wants it has to choose. */
export const ServicesAt = ({ appointment: { date, ...span }, services, to }: Props) => (
  <>
    <div className="flex items-center gap-4">
      <Leaf date={date} />
      <p className="text-start">
        <SpanTimes {...span} />
      </p>
    </div>
    <ServiceLinks services={services} to={to} />
  </>
);
