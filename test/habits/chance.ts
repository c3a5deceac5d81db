/** The same seed gives the same choices. */
export class Chance {
  constructor(private state: number) {}

  /** A number from 0 to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `many`. */
  below(many: number): number {
    return Math.floor(this.next() * many);
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  of<Item>(list: readonly Item[]): Item {
    if (list.length === 0) throw new Error('There is nothing to choose from.');
    return list[this.below(list.length)] as Item;
  }
}

/** The seed of a command, or a random one. */
export const seedOf = (given?: string): number => (given ? Number(given) : Math.floor(Math.random() * 2 ** 31));
