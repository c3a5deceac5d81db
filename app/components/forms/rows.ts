import { useState } from 'react';

/**
 * The items of a list in a form, each with its place and a key. They stay in their rows if one before them is removed,
 * and so does what is typed meanwhile.
 * @param removed the place of the item whose removal led to these items
 */
export function useRows<Item extends object>(items: Item[], removed?: number) {
  // By what they say: a page that renders twice for one response has removed one item.
  const said = JSON.stringify(items);
  const [rows, setRows] = useState(() => ({ said, keys: items.map((_, place) => place) }));
  if (rows.said !== said) {
    const remaining = rows.keys.filter((_, place) => place !== removed);
    const next = Math.max(...rows.keys) + 1;
    setRows({ said, keys: items.map((_, place) => remaining[place] ?? next + place) });
  }
  return items.map((item, place) => ({ ...item, place, key: rows.keys[place] ?? place }));
}
