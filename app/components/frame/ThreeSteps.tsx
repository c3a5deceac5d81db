import { Trans } from '@lingui/react/macro';
import * as paths from '../../paths';
import { ButtonLink } from '../Button';
import { Card } from '../Card';

/** The way into the set-up, for a provider with whom nobody can book yet. */
export const ThreeSteps = () => (
  <Card title={<Trans>Three steps to your page</Trans>}>
    <p>
      <Trans>Say what you offer and when, and share your page. Each step can be skipped and changed later.</Trans>
    </p>
    <div>
      <ButtonLink to={paths.services({ start: 'yes' })}>
        <Trans>Set up your page</Trans>
      </ButtonLink>
    </div>
  </Card>
);
