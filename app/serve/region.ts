import type { DurableObjectLocationHint } from '@cloudflare/workers-types';

type Place = { continent?: string; longitude?: string };

const byContinent: Record<string, DurableObjectLocationHint> = {
  AF: 'afr',
  OC: 'oc',
  SA: 'sam',
};

// The longitudes at which the west of a continent ends: about Denver, Warsaw, and the Iranian east.
const westEnds = { NA: -100, EU: 20, AS: 60 };

/** A rough guess of Cloudflare's region; undefined for an unknown continent. */
export function regionOf({ continent = '', longitude }: Place = {}): DurableObjectLocationHint | undefined {
  const isEastOf = (degrees: number) => Number(longitude ?? degrees) > degrees;
  if (continent === 'NA') return isEastOf(westEnds.NA) ? 'enam' : 'wnam';
  if (continent === 'EU') return isEastOf(westEnds.EU) ? 'eeur' : 'weur';
  if (continent === 'AS') return isEastOf(westEnds.AS) ? 'apac' : 'me';
  return byContinent[continent];
}
