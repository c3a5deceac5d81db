import { ButtonLink } from '../../components/Button';
import * as paths from '../../paths';

/** The ways to the forms that choose questions. */
export const WhereToAsk = () => (
  <div className="flex flex-wrap gap-3">
    <ButtonLink quiet to={paths.services()}>
      Services
    </ButtonLink>
    <ButtonLink quiet to={paths.hours()}>
      Hours
    </ButtonLink>
    <ButtonLink quiet to={paths.createTimes()}>
      Create appointments
    </ButtonLink>
  </div>
);
