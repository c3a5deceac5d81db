import { type Component, localOf, textOf } from './text';

// A calendar may hold several versions of one event, such as the old time of a meeting and its new one (RFC 5546, 2.1.5).

const sequenceOf = (component: Component) => Number(/^\d{1,15}$/.exec(textOf(component, 'SEQUENCE'))?.[0] ?? 0);

/** Above zero if one is newer than the other, below if older, and zero if nothing tells. */
export function compareVersions(one: Component, other: Component): number {
  const bySequence = sequenceOf(one) - sequenceOf(other);
  if (bySequence !== 0) return bySequence;
  for (const name of ['DTSTAMP', 'LAST-MODIFIED']) {
    const [at, otherAt] = [localOf(textOf(one, name)), localOf(textOf(other, name))];
    if (at !== undefined && otherAt !== undefined && at !== otherAt) return at - otherAt;
  }
  return 0;
}

/** The newest of the components with each key. Where nothing tells which is newer, all of them stand. */
export function newestOf(components: Component[], keyOf: (component: Component) => string): Component[] {
  const newest = new Map<string, Component[]>();
  for (const component of components) {
    const key = keyOf(component);
    const known = newest.get(key);
    const order = known?.[0] ? compareVersions(component, known[0]) : 1;
    if (order > 0) newest.set(key, [component]);
    else if (order === 0) known?.push(component);
  }
  return [...newest.values()].flat();
}
