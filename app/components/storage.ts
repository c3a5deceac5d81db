/** What the browser keeps for this tab; undefined where it keeps nothing for this site. */
export function tabStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
