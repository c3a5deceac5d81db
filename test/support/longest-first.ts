import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest whatever its size, the longest first: servers in processes of their own, every screen, whole jobs. */
const longest = [
  'data-folder',
  'kill',
  'backup',
  'deploy',
  'fuzz',
  'smtp',
  'every-screen',
  'every-route',
  'trips',
  'forms',
  'look',
  'templates',
  'calendar',
  'parties',
  'server',
  'hashing',
  'following',
  'meetups',
];
const last = longest.length;

/**
 * Begins with the files that take longest, so that no worker is left alone with one at the end. Vitest knows how long each
 * took the last time; in a fresh clone it goes by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place < 0 ? last : place;
    };
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
