/**
 * What a frame of another site has room for beside a page's head and buttons: each of these alone, in lines of its own kind.
 * Choices stand in two columns, times in three or more.
 */
export const roomOfFrame = { questions: 7, choices: 12, tiles: 14, times: 16 };

/**
 * Groups things in their order for a frame of another site.
 * @param most lines of a group; one thing that has more is a group of its own
 */
export function grouped<T>(things: T[], linesOf: (thing: T) => number, most: number): T[][] {
  const groups: T[][] = [];
  let free = 0;
  for (const thing of things) {
    const lines = linesOf(thing);
    if (groups.length === 0 || lines > free) {
      groups.push([]);
      free = most;
    }
    groups.at(-1)?.push(thing);
    free -= lines;
  }
  return groups;
}
