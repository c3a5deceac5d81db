import { beforeAll } from 'vitest';
import { type LookWorld, makeLookWorld } from '../browser/look-world';
import { screens, type Who } from '../browser/screens';
import { knownWords } from './made-up-pages';
import { madeUpWorker, place } from './made-up-worker';
import { useServer } from './use-server';
import type { Visitor } from './visit';

/** Every address of the screens, and who looks at it. */
export const everyPath = Object.entries(screens).flatMap(([who, list]) =>
  [...new Set(list.map(({ path }) => path))].map((path) => [who as Who, path] as const),
);

/** A server that speaks the made-up language to whoever reads French, and the world of all screens. */
export function useMadeUpWorld() {
  const daybook = useServer({ before: madeUpWorker() });
  const made = {} as { world: LookWorld; known: RegExp };
  beforeAll(async () => {
    made.world = await makeLookWorld(daybook);
    made.known = await knownWords(daybook.d1);
  }, 120_000);
  return {
    daybook,
    get world() {
      return made.world;
    },
    /** The words that people typed, or that are the same in each language. */
    get known() {
      return made.known;
    },
    /** Whoever looks at a screen, in the made-up language. */
    readerOf(who: Who): Visitor {
      const reader = who === 'nobody' ? daybook.visitor() : made.world[who].browser;
      reader.headers['accept-language'] = place;
      return reader;
    },
  };
}
