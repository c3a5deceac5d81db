import { useEffect, useState } from 'react';

/** True once script runs. What needs script is hidden before, so no button ever does nothing. */
export function useHasScript(): boolean {
  const [hasScript, setHasScript] = useState(false);
  useEffect(() => setHasScript(true), []);
  return hasScript;
}
