// For lists that are too large to be in memory at once: we first read the ids of all rows, then send the rows in parts as we
// read them. So no row comes twice, rows that are added meanwhile are missing, and each row is as it was when we read
// its part.

/** Can be iterated more than once. */
export type Parts<Row> = AsyncIterable<Row[]>;

export type MaybeInParts<Value> = Value extends (infer Row)[]
  ? Row[] | Parts<MaybeInParts<Row>>
  : Value extends object
    ? { [Name in keyof Value]: MaybeInParts<Value[Name]> }
    : Value;

/** Makes a list in parts. @param keys of the parts, or a function that finds them when the list is read */
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

export const hasParts = (value: unknown): boolean =>
  isInParts(value) ||
  (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isInParts));
