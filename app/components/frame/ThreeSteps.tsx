import * as paths from '../../paths';
import { ButtonLink } from '../Button';
import { Card } from '../Card';

/** The way into the set-up, for a provider with whom nobody can book yet. */
export const ThreeSteps = () => (
  <Card title="Three steps to your page">
    <p>Say what you offer and when, and share your page. Each step can be skipped and changed later.</p>
    <div>
      <ButtonLink to={paths.services({ start: 'yes' })}>Set up your page</ButtonLink>
    </div>
  </Card>
);
