import { TextAction } from '../../components/Button';
import * as paths from '../../paths';

/** The ways to the forms that choose questions. */
export const WhereToAsk = () => (
  <div className="flex flex-wrap gap-x-6">
    <TextAction icon="services" to={paths.services()}>
      Services
    </TextAction>
    <TextAction icon="hours" to={paths.hours()}>
      Hours
    </TextAction>
    <TextAction icon="free" to={paths.createTimes()}>
      Create appointments
    </TextAction>
  </div>
);
