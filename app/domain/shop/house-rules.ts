import * as z from 'zod/mini';
import { rulesAndReminders } from '../profile/reminders';

// An owner sets rules for all people of the shop. How somebody's page looks, which sites show it, and whether their parties
// block time stay each their own.
const shape = z.omit(rulesAndReminders, { colour: true, head: true, embedOn: true, partiesBlock: true }).shape;

type Own = z.output<typeof rulesAndReminders>;
export type HouseRule = keyof typeof shape;

/** What the shop sets; null for what each sets for themselves. */
export type HouseRules = { [Name in HouseRule]: NonNullable<Own[Name]> | null };

export const houseRules = Object.keys(shape) as HouseRule[];

/** What is left out stays; null leaves a rule to each. */
export const houseRulesChange = z.object(
  Object.fromEntries(Object.entries(shape).map(([name, rule]) => [name, z.nullable(rule)])),
) as unknown as z.ZodMiniType<Partial<HouseRules>>;

/** All rules, from those that are stored. */
export const houseRulesOf = (stored: Partial<HouseRules> | null): HouseRules =>
  Object.fromEntries(houseRules.map((name) => [name, stored?.[name] ?? null])) as HouseRules;
