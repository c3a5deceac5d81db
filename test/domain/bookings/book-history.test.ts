import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { Chance, seedOf } from '../../habits/chance';
import { act, acts, anyStep, mustBeDone, type Step } from '../../support/book-acts';
import type { Book } from '../../support/plain-waitlist';
import { openHouse } from '../../support/shop-acts';
import { checkAll } from '../../support/waitlist-laws';
import { Broken, newWorld, readBook } from '../../support/waitlist-world';

/*
 * Random histories of the book, by the product's own functions, against rules in plain words. STEPS=100000 makes it long. Each
 * world has a seed of its own: `STEPS=150 SEED=…` repeats one.
 */

/** A world begins empty and lasts so many steps, or until a rule is broken. */
const lifetime = 150;
const steps = Number(env.STEPS);
// A check repeats one history, so that it says the same of the same code; `npm run history` takes another each time.
const firstSeed = seedOf(env.SEED || '1900251092');
const shortenings = 120;
/** A long history says how far it is after so many worlds. */
const worldsToSay = 40;

const done: Record<string, number> = {};
const count = (what: string) => {
  done[what] = (done[what] ?? 0) + 1;
};

type Found = { rule: string; detail: string; place: number; said: string[] };

/** In every other world the providers are colleagues. */
const hasShop = (seed: number) => seed % 2 === 1;

/** A time was offered whose gap takes another time. */
const isOfferedWithAnother = (before: Book, after: Book) =>
  after.bookings.some(
    (hold) =>
      hold.isHeld &&
      !before.bookings.some(({ id }) => id === hold.id) &&
      after.slots.some(
        ({ provider, partOf, startsAt }) =>
          provider === hold.provider && partOf === hold.startsAt && startsAt >= hold.endsAt,
      ),
  );

/** Lives these steps in a new world. @returns the rule that the last of them broke */
async function live(seed: number, life: Step[]): Promise<Found | undefined> {
  const said: string[] = [];
  const chance = new Chance(seed);
  const world = await newWorld(chance, hasShop(seed));
  if (hasShop(seed)) await openHouse(world, chance);
  let book = await readBook(world.now);
  for (const [place, step] of life.entries()) {
    world.now += step.later;
    const before = { book, hosts: structuredClone(world.hosts) };
    try {
      await act(world, book, step);
      book = await readBook(world.now);
      await checkAll(world, book, before, step.seed);
    } catch (error) {
      const { rule, detail } = error instanceof Broken ? error : { rule: 'nothing fails', detail: String(error) };
      said.push(world.said || `${step.name}: fails`);
      return { rule, detail, place, said };
    }
    said.push(world.said);
    if (world.said) count(step.name);
    if (mustBeDone.includes(step.name) && world.said.endsWith(': done')) count(`${step.name}, done`);
    const held = (one: typeof book) => one.bookings.filter(({ isHeld }) => isHeld).length;
    if (held(book) > held(before.book)) count('offered');
    if (isOfferedWithAnother(before.book, book)) count('offered with a time in its gap');
    if (step.name === 'take' && world.said.includes(': refused')) count('take, refused');
    if (book.told.size > before.book.told.size) count('told');
  }
  return undefined;
}

/** The shortest life that some tries find, which breaks the same rule. */
async function shorten(seed: number, life: Step[], found: Found): Promise<Found> {
  let shortest = { ...found, life: life.slice(0, found.place + 1) };
  const isStill = async (fewer: Step[]) => {
    const again = await live(seed, fewer);
    if (again?.rule !== found.rule) return false;
    shortest = { ...again, life: fewer.slice(0, again.place + 1) };
    return true;
  };
  // What was refused mostly changed nothing.
  const didNothing = (place: number) => /^$|: refused/.test(shortest.said[place] ?? '');
  await isStill(shortest.life.filter((_, place) => place === found.place || !didNothing(place)));
  let tries = 0;
  for (let length = Math.ceil(shortest.life.length / 2); length > 0; length = Math.floor(length / 2)) {
    for (let from = 0; from < shortest.life.length - 1 && tries < shortenings; tries++) {
      const last = shortest.life.length - 1;
      const fewer = shortest.life.filter((_, place) => place < from || place >= from + length || place === last);
      if (!(await isStill(fewer))) from += length;
    }
  }
  return shortest;
}

test('who waits gets what comes free, and nobody else', { timeout: 36_000_000 }, async () => {
  const broken = new Map<string, string>();
  const began = Date.now();
  for (let world = 0; world * lifetime < steps; world++) {
    if (world > 0 && world % worldsToSay === 0) {
      console.info(`${world * lifetime} steps, rules broken: ${broken.size}`);
    }
    const seed = firstSeed + world;
    const chance = new Chance(seed ^ 0x5bd1e995);
    const life = Array.from({ length: Math.min(lifetime, steps - world * lifetime) }, () =>
      anyStep(chance, hasShop(seed)),
    );
    const found = await live(seed, life);
    if (!found) continue;
    count(found.rule);
    if (broken.has(found.rule)) continue;
    const { detail, said } = await shorten(seed, life, found);
    const lines = said.filter(Boolean).map((line) => `    ${line}`);
    const story = `${found.rule}\n  seed ${seed}, step ${found.place}: ${detail}\n${lines.join('\n')}`;
    console.info(story);
    broken.set(found.rule, story);
  }
  const rate = Math.round((1000 * steps) / (Date.now() - began));
  console.info(`seed ${firstSeed}, ${rate} steps a second: ${JSON.stringify(done)}`);
  expect([...broken.values()].join('\n'), 'rules that were broken').toBe('');
  // A short history that somebody asked for may lack some of these by chance.
  const mustHappen = [
    ...(steps < 600 ? [] : ['offered', 'told', 'withdraw', 'hours']),
    ...(steps < 6000 ? [] : Object.keys(acts)),
    ...(steps < 6000 ? [] : mustBeDone.map((name) => `${name}, done`)),
    ...(steps < 6000 ? [] : ['take, refused', 'offered with a time in its gap']),
  ];
  for (const name of mustHappen) expect(done[name], name).toBeGreaterThan(0);
});
