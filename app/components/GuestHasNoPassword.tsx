import * as paths from '../paths';
import { BackToProfile } from './BackToProfile';
import { ButtonLink } from './Button';
import { Card } from './Card';

/** Stands in place of a form that asks for a password. */
export const GuestHasNoPassword = () => (
  <Card>
    <p>
      You are here as a guest, without a password. Register to have one: everything that you have booked and answered
      stays yours.
    </p>
    <p>
      <ButtonLink to={paths.register()}>Keep this: register</ButtonLink>
    </p>
    <p>
      <BackToProfile />
    </p>
  </Card>
);
