import type { D1 } from '../../app/local/d1';
import { dump } from '../../app/local/database';
import { everyRule, rules } from './rules';

/* Rules that the book must keep at any moment. */

const unseen = /\p{Cc}/u;

/** Nobody reads these columns. */
const isSortKey = (column: string) => column.endsWith('_sort_key');

/** The texts in a column, which may be JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string' && /^[[{]/.test(value)) {
    try {
      return textsIn(JSON.parse(value));
    } catch {
      // Somebody’s own words.
      return [value];
    }
  }
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The rules that the book breaks, and how often. `texts` looks for signs that can't be shown too, which takes longer. */
export async function brokenRules(d1: D1, { texts: isRead = true } = {}): Promise<string[]> {
  const counts = await d1.prepare(everyRule).first<Record<string, number>>();
  const broken = Object.keys(rules).flatMap((name, place) => {
    const many = counts?.[`rule_${place}`];
    return many === 0 ? [] : [`${name}: ${many}`];
  });
  if (!isRead) return broken;
  const tables = Object.entries(await dump(d1)).filter(([table]) => table !== 'one_time_keys');
  for (const [table, rows] of tables) {
    const texts = rows.flatMap((row) =>
      Object.entries(row as object).flatMap(([column, value]) => (isSortKey(column) ? [] : textsIn(value))),
    );
    const wrong = texts.find((text) => unseen.test(text.replaceAll(/[\n\t]/g, '')));
    if (wrong !== undefined) broken.push(`${table} holds ${JSON.stringify(wrong.slice(0, 80))}`);
  }
  return broken;
}
