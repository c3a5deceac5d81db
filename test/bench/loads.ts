/* The rows of the load, and what they use up of a world. */

/** What a row takes from the world for good, and how often a second at most: a faster machine ends its measurement sooner. */
type Use = { takes: 'times' | 'replies'; fastest: number };
type LoadPlan = { mostAtOnce?: number; use?: Use };

/** In the order of measuring: each yardstick before what is compared with it. */
export const loads = {
  'bare read': {},
  'slot list': {},
  'party page': {},
  'party page, logged in': {},
  'booking screen': {},
  'provider page, cold': {},
  'bare response': {},
  'provider page, cached': {},
  landing: {},
  GetPage: {},
  'week of a provider': {},
  'week of a client': {},
  people: {},
  'one person': {},
  'bare write': {},
  'bare booking': { use: { takes: 'times', fastest: 2_000 } },
  Book: { use: { takes: 'times', fastest: 1_000 } },
  'guest form': { use: { takes: 'times', fastest: 500 } },
  BookRsvp: { use: { takes: 'replies', fastest: 1_000 } },
  login: { mostAtOnce: 10 },
} satisfies Record<string, LoadPlan>;

export type LoadName = keyof typeof loads;
export const loadNames = Object.keys(loads) as LoadName[];

/** Rows whose name has this in it, and the yardsticks. */
export const loadsWith = (only: string): LoadName[] =>
  loadNames.filter((name) => name.includes(only) || name.startsWith('bare '));

const planOf = (name: LoadName): LoadPlan => loads[name];

/** The connections over which a row is measured, one after the other. */
export const connectionsOf = (name: LoadName): number[] =>
  [1, 10, 50].filter((connections) => connections <= (planOf(name).mostAtOnce ?? 50));

/** Seconds before those that count. */
export const warmUpOf = (seconds: number): number => Math.min(1, seconds / 4);

/** The most requests of one measurement, before and while it counts; infinite for a row that uses nothing up. */
export function mostRequestsOf(name: LoadName, seconds: number): { warmUp: number; counted: number } {
  const { fastest } = planOf(name).use ?? { fastest: Number.POSITIVE_INFINITY };
  return { warmUp: Math.ceil(fastest * warmUpOf(seconds)), counted: Math.ceil(fastest * seconds) };
}

/** How many free times, or replies to parties, these rows use up at most. */
export function neededFor(takes: Use['takes'], names: LoadName[], seconds: number): number {
  const users = names.filter((name) => planOf(name).use?.takes === takes);
  const measured = users.flatMap((name) => connectionsOf(name).map((connections) => ({ name, connections })));
  return measured.reduce((sum, { name, connections }) => {
    const { warmUp, counted } = mostRequestsOf(name, seconds);
    // Each connection has a request pending at the end, and the next one made.
    return sum + warmUp + counted + 2 * connections;
  }, 0);
}

/** Free times that are made for one run at most: half a million take minutes. */
export const mostTimes = 500_000;

/** The longest whole seconds of a row for which enough free times are made. */
export function mostSecondsFor(names: LoadName[]): number {
  let seconds = 60;
  while (seconds > 1 && neededFor('times', names, seconds) > mostTimes) seconds -= 1;
  return seconds;
}
