import { Trans } from '@lingui/react/macro';
import * as paths from '../../paths';
import { ButtonLink } from '../Button';

export const GuestNotice = () => (
  <div className="grid justify-items-start gap-3">
    <p className="text-muted">
      <Trans>You are here as a guest, on this device only, without a password.</Trans>
    </p>
    <ButtonLink to={paths.register()}>
      <Trans>Keep this: register</Trans>
    </ButtonLink>
  </div>
);
