import * as paths from '../paths';
import { TextLink } from './Button';
import { useShell } from './frame/shell';

/** Leads back to the profile. A guest has none, so the link leads home. */
export function BackToProfile({ children }: { children?: string }) {
  const isGuest = useShell().reader?.isGuest === true;
  const words = isGuest ? 'Back to your appointments' : 'Back to your profile';
  return <TextLink to={isGuest ? paths.home() : paths.profile()}>{children ?? words}</TextLink>;
}
