/**
 * Remembers results by their key, at most so many: with one more it forgets all of them.
 * @returns gives the result of this key, and makes it where none is remembered; what a failed making throws is not remembered
 */
export function memo<Result>(most: number) {
  const results = new Map<string | number, Result>();
  return (key: string | number, make: () => Result): Result => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (results.size >= most) results.clear();
    results.set(key, made);
    return made;
  };
}
