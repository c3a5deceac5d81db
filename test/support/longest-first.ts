import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files whose tests take long: servers in processes of their own, every screen, jobs from end to end. */
const longest = [
  'data-folder',
  'server',
  'deploy',
  'trips',
  'every-route',
  'every-screen',
  'keyboard',
  'templates',
  'parties',
];

/**
 * Begins with the files that take longest, so that no worker is left alone with one at the end. Vitest knows how long each
 * took the last time; in a fresh clone it goes by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.endsWith(`/${name}.test.ts`)) ? 0 : 1;
    return (await super.sort(files)).sort((one, other) => isLong(one) - isLong(other));
  }
}
