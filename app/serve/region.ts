import type { DurableObjectLocationHint } from '@cloudflare/workers-types';

type Place = { continent?: string; longitude?: string };

const byContinent: Record<string, DurableObjectLocationHint> = {
  AF: 'afr',
  OC: 'oc',
  SA: 'sam',
};

// The longitudes at which the western part of each continent ends: near Denver, near Warsaw, and in the east of Iran.
const westEnds = { NA: -100, EU: 20, AS: 60 };

/** Guesses the region of Cloudflare that is nearest to a client; undefined for an unknown continent. */
export function regionOf({ continent = '', longitude }: Place = {}): DurableObjectLocationHint | undefined {
  const isEastOf = (degrees: number) => Number(longitude ?? degrees) > degrees;
  if (continent === 'NA') return isEastOf(westEnds.NA) ? 'enam' : 'wnam';
  if (continent === 'EU') return isEastOf(westEnds.EU) ? 'eeur' : 'weur';
  if (continent === 'AS') return isEastOf(westEnds.AS) ? 'apac' : 'me';
  return byContinent[continent];
}
