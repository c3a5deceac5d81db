import { useEffect, useState } from 'react';

/** True once script runs. Controls that need script are hidden before. */
export function useHasScript(): boolean {
  const [hasScript, setHasScript] = useState(false);
  useEffect(() => setHasScript(true), []);
  return hasScript;
}
