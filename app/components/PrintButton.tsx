import type { ReactNode } from 'react';
import { Button } from './Button';
import { useHasScript } from './frame/script';

/** Without script the browser's own menu prints. */
export const PrintButton = ({ quiet, children }: { quiet?: boolean; children: ReactNode }) =>
  useHasScript() && (
    <Button quiet={quiet} type="button" onClick={() => window.print()}>
      {children}
    </Button>
  );
