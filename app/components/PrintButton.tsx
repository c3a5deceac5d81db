import type { ReactNode } from 'react';
import { Button } from './Button';
import { useHasScript } from './frame/script';

/** Shown only with script: without it, people print by the browser's menu. */
export const PrintButton = ({ quiet, children }: { quiet?: boolean; children: ReactNode }) =>
  useHasScript() && (
    <Button quiet={quiet} type="button" onClick={() => window.print()}>
      {children}
    </Button>
  );
