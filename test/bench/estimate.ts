import { connectionsOf, loadsWith, neededFor, warmUpOf } from './loads';
import type { Part, Settings } from './settings';
import { type WorldSize, worldOf } from './world-plan';

/* How long a run takes, said before it begins. The figures are of two cores that nothing else wants. */

export type Step = { what: string; seconds: number };

/** How many are asked in a part, and which worlds were made earlier today. */
export type Known = { screens: number; coldScreens: number; isMade: (size: WorldSize) => boolean };

const slotsASecond = 6_000;
const accountsASecond = 10_000;
/** To copy a world, start its server, and log people in. */
const opening = 6;
const screenSeconds = 2;
const coldSeconds = 2.4;
const countingSeconds = 5;
const largeSeconds = 30;

const many = ({ slots }: WorldSize) => `${slots.toLocaleString('en')} slots`;

function loadStep(size: WorldSize, { only, seconds }: Settings): Step {
  const names = loadsWith(only);
  const rows = names.flatMap(connectionsOf).length;
  const times = neededFor('times', names, seconds);
  return {
    what: `load at ${many(size)}: ${rows} rows of ${seconds} s, with up to ${times.toLocaleString('en')} more free times to book`,
    seconds: opening + times / slotsASecond + rows * (seconds + warmUpOf(seconds) + 0.2),
  };
}

/** What a run does, in its order; a world is made before it is first used. */
export function stepsOf(settings: Settings, { screens, coldScreens, isMade }: Known): Step[] {
  const { sizes, short } = settings;
  const last = sizes.load.slice(-1);
  const counting = (size: WorldSize): Step => ({ what: `rows at ${many(size)}`, seconds: opening + countingSeconds });
  const worlds: Record<Part, WorldSize[]> = {
    load: sizes.load,
    screens: last,
    rows: sizes.rows,
    cold: [worldOf(1_000)],
    large: [worldOf(1_000)],
    bill: [worldOf(100_000)],
    shop: [worldOf(100_000)],
  };
  const stepOf: Record<Part, (size: WorldSize) => Step> = {
    load: (size) => loadStep(size, settings),
    screens: (size) => ({
      what: `${screens} screens and calls at ${many(size)}`,
      seconds: opening + screens * (short ? 0.1 : screenSeconds),
    }),
    rows: counting,
    cold: () => ({
      what: `${coldScreens} screens, each in a process of its own`,
      seconds: opening + coldScreens * coldSeconds,
    }),
    large: () => ({ what: 'the largest answers', seconds: opening + largeSeconds }),
    bill: counting,
    shop: counting,
  };
  const made = new Set<string>();
  return settings.parts.flatMap((part) =>
    worlds[part].flatMap((size) => {
      const key = JSON.stringify(size);
      const isThere = made.has(key) || isMade(size);
      made.add(key);
      const making = {
        what: `make a world of ${many(size)}`,
        seconds: size.accounts / accountsASecond + size.slots / slotsASecond,
      };
      return [...(isThere ? [] : [making]), stepOf[part](size)];
    }),
  );
}

/** 95 as '1 min 35 s'. */
export function durationWords(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return [...(minutes > 0 ? [`${minutes} min`] : []), ...(rest > 0 ? [`${rest} s`] : [])].join(' ');
}

/** The lines that are printed before a run. */
export function linesOfSteps(steps: Step[]): string[] {
  const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    `This takes about ${durationWords(total)}, and longer where other work shares the machine:`,
    ...steps.map(({ what, seconds }) => `  ${durationWords(seconds).padStart(11)}  ${what}`),
  ];
}
