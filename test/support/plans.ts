import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../app/local/root';
import type { ServerOptions } from '../../app/local/server';

/** The steps of EXPLAIN QUERY PLAN for one statement. */
export type Plan = { sql: string; steps: string[] };

/** Options of a server that writes the plan of each statement of its Worker into the list. */
export function recordPlans(): { plans: Plan[]; options: Pick<ServerOptions, 'before' | 'log'> } {
  const plans: Plan[] = [];
  const log: ServerOptions['log'] = ({ level, message }) => {
    if (message.startsWith('plan ')) plans.push(JSON.parse(message.slice('plan '.length)));
    else if (level === 'error') console.error(message);
  };
  return { plans, options: { before: readFileSync(join(root, 'test/support/recorder.mjs'), 'utf8'), log } };
}

/**
 * The steps that read a whole table or index. These are none:
 * - reading through what the statement itself made, or a list that it was given;
 * - walking along an index in the order that is wanted, until the limit is reached;
 * - a table that an insert does not name, or once more than it names it: that is a foreign key into the new row, which
 *   SQLite looks for only while some row waits for it. Those steps come last.
 */
export function fullScans({ sql, steps }: Plan): string[] {
  const own = new Set([...sql.matchAll(/\b(\w+)(?: ?\([\w, ]+\))? AS (?:MATERIALIZED )?\(/gi)].map(([, name]) => name));
  for (const [, name, alias] of sql.matchAll(/\b(?:FROM|JOIN) (\w+) AS (\w+)/gi)) if (own.has(name)) own.add(alias);
  for (const [, alias] of sql.matchAll(/\) (?:AS |(?="))"?(\w+)/gi)) own.add(alias);
  const isLimited = /\blimit\b/i.test(sql) && !steps.some((step) => step.includes('TEMP B-TREE FOR ORDER BY'));
  const isInsert = /^\s*insert/i.test(sql);
  return steps.filter((step, place) => {
    const scanned = /^SCAN (\S+)/.exec(step)?.[1];
    if (!scanned || /VIRTUAL TABLE|CONSTANT ROW/.test(step)) return false;
    if (own.has(scanned) || scanned.startsWith('(')) return false;
    if (isLimited && step.includes('USING INDEX')) return false;
    // A step has the alias of its table. A column may have the name of a table.
    const named = [...sql.matchAll(new RegExp(`(?<!AS "|\\."?)\\b${scanned}\\b(?!"?\\.| AS )`, 'g'))].length;
    const before = steps.slice(0, place).filter((earlier) => earlier.split(' ')[1] === scanned).length;
    return !(isInsert && before >= named);
  });
}
