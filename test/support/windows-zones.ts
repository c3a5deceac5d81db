import windowsZones from 'cldr-core/supplemental/windowsZones.json';

type MapZone = { mapZone: { _other: string; _type: string; _territory: string } };

/** CLDR's IANA zone for each Windows zone, where no country is known. */
const windowsZonesOfCldr: [windows: string, iana: string][] = (
  windowsZones.supplemental.windowsZones.mapTimezones as MapZone[]
)
  .filter(({ mapZone }) => mapZone._territory === '001')
  .map(({ mapZone }) => [mapZone._other, mapZone._type]);

/** The source file that holds the table. */
export const windowsZonesFile = `// CLDR's windowsZones.json, from the development package cldr-core. To update it: npx vitest run test/house.test.ts -u
const table = \`
${windowsZonesOfCldr.map(([windows, iana]) => `${windows}=${iana}`).join('\n')}
\`;

const zones = new Map(
  table
    .trim()
    .split('\\n')
    .map((line) => line.split('=') as [string, string])
    .map(([name, zone]) => [name.toLowerCase(), zone]),
);

export const zoneOfWindows = (name: string): string | undefined => zones.get(name.toLowerCase());
`;
