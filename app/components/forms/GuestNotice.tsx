import * as paths from '../../paths';
import { ButtonLink } from '../Button';

export const GuestNotice = () => (
  <div className="grid justify-items-start gap-3">
    <p className="text-muted">You are here as a guest, on this device only, without a password.</p>
    <ButtonLink to={paths.register()}>Keep this: register</ButtonLink>
  </div>
);
