import { Trans } from '@lingui/react/macro';
import { TextLink } from '../../components/Button';
import * as paths from '../../paths';

export const PublicFooter = () => (
  <footer className="flex flex-wrap justify-center gap-x-6 gap-y-2 text-sm text-muted">
    <TextLink to={paths.home()}>
      <Trans>Daybook: time, well kept</Trans>
    </TextLink>
    <TextLink to={paths.accessibility()}>
      <Trans>Accessibility</Trans>
    </TextLink>
  </footer>
);
