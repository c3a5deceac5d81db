import { TextLink } from '../../components/Button';
import * as paths from '../../paths';

export const PublicFooter = () => (
  <footer className="flex flex-wrap justify-center gap-x-6 gap-y-2 text-sm text-muted">
    <TextLink to={paths.home()}>Daybook: time, well kept</TextLink>
    <TextLink to={paths.accessibility()}>Accessibility</TextLink>
  </footer>
);
