import { useEffect, useState } from 'react';

/** True once script runs. Until then, controls that need script stay hidden. */
export function useHasScript(): boolean {
  const [hasScript, setHasScript] = useState(false);
  useEffect(() => setHasScript(true), []);
  return hasScript;
}
