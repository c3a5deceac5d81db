/*
 * A list that is too large to be held at once. The ids of its rows are read first, the rows part by part while they are sent.
 * So nobody is in it twice; who comes meanwhile is not in it, who goes meanwhile is left out, and what changes meanwhile is
 * told as it was when its part was read.
 */

/** The parts of a list, in order. Each is read when it is wanted; the list can be gone through again. */
export type Parts<Row> = AsyncIterable<Row[]>;

/** The same value with some of its lists in parts. */
export type MaybeInParts<Value> = Value extends (infer Row)[]
  ? Row[] | Parts<MaybeInParts<Row>>
  : Value extends object
    ? { [Name in keyof Value]: MaybeInParts<Value[Name]> }
    : Value;

/** Makes a list of the keys of its parts, or of how to find them once the list is wanted. */
export const partsBy = <Key, Row>(
  keys: Key[] | (() => Promise<Key[]>),
  read: (key: Key) => Promise<Row[]>,
): Parts<Row> => ({
  async *[Symbol.asyncIterator]() {
    for (const key of Array.isArray(keys) ? keys : await keys()) yield read(key);
  },
});

/** Changes each part of a list. */
export const mapParts = <Row, Changed>(parts: Parts<Row>, change: (rows: Row[]) => Changed[]): Parts<Changed> => ({
  async *[Symbol.asyncIterator]() {
    for await (const rows of parts) yield change(rows);
  },
});

export const isInParts = <Row>(value: Parts<Row> | unknown): value is Parts<Row> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** True for parts, and for an object with a list in parts among its properties. */
export const hasParts = (value: unknown): boolean =>
  isInParts(value) ||
  (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isInParts));
