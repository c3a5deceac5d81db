import type { DurableObjectLocationHint } from '@cloudflare/workers-types';

/** What the edge knows of where a request came from. */
type Place = { continent?: string; longitude?: string };

const byContinent: Record<string, DurableObjectLocationHint> = {
  AF: 'afr',
  OC: 'oc',
  SA: 'sam',
};

/** Where the west of a continent ends, in degrees: about Denver, Warsaw, and the Iranian east. */
const middles = { NA: -100, EU: 20, AS: 60 };

/** The region of Cloudflare's that a reader is in, about; undefined where the edge knows no continent. */
export function regionOf({ continent = '', longitude }: Place = {}): DurableObjectLocationHint | undefined {
  const isEastOf = (middle: number) => Number(longitude ?? middle) > middle;
  if (continent === 'NA') return isEastOf(middles.NA) ? 'enam' : 'wnam';
  if (continent === 'EU') return isEastOf(middles.EU) ? 'eeur' : 'weur';
  if (continent === 'AS') return isEastOf(middles.AS) ? 'apac' : 'me';
  return byContinent[continent];
}
