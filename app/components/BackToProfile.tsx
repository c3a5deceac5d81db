import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import * as paths from '../paths';
import { TextLink } from './Button';
import { useShell } from './frame/shell';

/** Leads back to the profile. A guest has none, so the link leads home. */
export function BackToProfile({ children }: { children?: ReactNode }) {
  const isGuest = useShell().reader?.isGuest === true;
  const words = isGuest ? <Trans>Back to your appointments</Trans> : <Trans>Back to your profile</Trans>;
  return <TextLink to={isGuest ? paths.home() : paths.profile()}>{children ?? words}</TextLink>;
}
