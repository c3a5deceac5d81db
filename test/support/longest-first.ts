import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, whatever their size, the slowest first. */
const slowest = 'nodes every-screen keyboard deploy kill templates parties meetups look following every-route';
const slow = 'backup smtp forms main-job fuzz deploy server drafts calendar lists';
const longest = `${slowest} ${slow}`.split(' ');
const last = longest.length;

/**
 * Starts with the slowest files, so that no worker is left alone with one at the end. Vitest knows how long each
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
