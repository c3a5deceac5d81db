/*
 * A list that is too large to be held at once. The ids of its rows are read first, then the rows in parts while they are sent.
 * So no row comes twice; new rows are not in it, deleted ones are left out, and each row is as it was when its part was read.
 */

/** The parts of a list, in order, read one after the other. It can be gone through again. */
export type Parts<Row> = AsyncIterable<Row[]>;

/** A value whose lists may come in parts. */
export type MaybeInParts<Value> = Value extends (infer Row)[]
  ? Row[] | Parts<MaybeInParts<Row>>
  : Value extends object
    ? { [Name in keyof Value]: MaybeInParts<Value[Name]> }
    : Value;

/** Makes a list from the keys of its parts, or from a function that finds them once the list is read. */
export const partsBy = <Key, Row>(
  keys: Key[] | (() => Promise<Key[]>),
  read: (key: Key) => Promise<Row[]>,
): Parts<Row> => ({
  async *[Symbol.asyncIterator]() {
    for (const key of Array.isArray(keys) ? keys : await keys()) yield read(key);
  },
});

export const mapParts = <Row, Changed>(parts: Parts<Row>, change: (rows: Row[]) => Changed[]): Parts<Changed> => ({
  async *[Symbol.asyncIterator]() {
    for await (const rows of parts) yield change(rows);
  },
});

export const isInParts = <Row>(value: Parts<Row> | unknown): value is Parts<Row> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** True for parts, and for an object with parts among its properties. */
export const hasParts = (value: unknown): boolean =>
  isInParts(value) ||
  (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isInParts));
