import { useState } from 'react';

/**
 * The items of a list in a form, each with its place and a key. They stay in their rows if one before them is removed,
 * and so does what is typed meanwhile.
 * @param removed the place of the item whose removal led to these items
 */
export function useRows<Item extends object>(items: Item[], removed?: number) {
  const [rows, setRows] = useState(() => ({ items, keys: items.map((_, place) => place) }));
  if (rows.items !== items) {
    const remaining = rows.keys.filter((_, place) => place !== removed);
    const next = Math.max(...rows.keys) + 1;
    setRows({ items, keys: items.map((_, place) => remaining[place] ?? next + place) });
  }
  return items.map((item, place) => ({ ...item, place, key: rows.keys[place] ?? place }));
}
