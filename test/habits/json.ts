import type { Chance } from './chance';
import { hostileText, hostileValue } from './hostile';

/* Bodies: JSON that fits a schema of the OpenAPI document, and JSON that is spoilt. */

export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};

/** A plausible value for a field of that name, if the name tells. */
export type Plausible = (name: string) => unknown;

/** A value that fits a schema, mostly. */
export function fitting(chance: Chance, schema: Schema, plausible: Plausible, name = ''): unknown {
  const choice = schema.properties ? undefined : schema.anyOf;
  if (choice) return fitting(chance, chance.of(choice), plausible, name);
  if (schema.enum) return chance.of(schema.enum);
  const type = Array.isArray(schema.type) ? chance.of(schema.type) : schema.type;
  if (type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    const chosen = properties.filter(([own]) => schema.required?.includes(own) || chance.is(0.5));
    return Object.fromEntries(chosen.map(([own, inner]) => [own, fitting(chance, inner, plausible, own)]));
  }
  if (type === 'array') {
    const known = plausible(name);
    if (Array.isArray(known)) return known;
    const many = Math.min((schema.minItems ?? 0) + chance.below(4), schema.maxItems ?? 4);
    return Array.from({ length: many }, () => fitting(chance, schema.items ?? {}, plausible, name));
  }
  if (type === 'null') return null;
  if (type === 'boolean') return chance.is(0.5);
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum = minimum + 100 } = schema;
    return chance.of([minimum, maximum, minimum + chance.below(maximum - minimum + 1)]);
  }
  const known = plausible(name);
  return typeof known === 'string' ? known : `Words ${chance.below(1000)}`;
}

/** The value with something else in one place. */
function spoilt(chance: Chance, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && chance.is(0.85)) {
    const at = chance.below(value.length);
    if (chance.is(0.1)) return [...value, ...value];
    return value.map((one, place) => (place === at ? spoilt(chance, one) : one));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && chance.is(0.9)) {
    const names = Object.keys(value);
    if (names.length === 0 || chance.is(0.1)) return { ...value, [hostileText(chance)]: hostileValue(chance) };
    const at = chance.of(names);
    if (chance.is(0.1)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== at));
    return { ...value, [at]: spoilt(chance, (value as Record<string, unknown>)[at]) };
  }
  return hostileValue(chance);
}

const texts: ((text: string, chance: Chance) => string | Buffer)[] = [
  (text) => text.slice(0, -1),
  (text) => `${text}${text}`,
  (text) => `\ufeff${text}`,
  (text) => text.replace('{', '{"password":"x","role":null,"dates":[1],'),
  (text) => text.replace(/}\s*$/, ',}'),
  (text) => text.replaceAll('"', "'"),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(`${text.slice(0, 8)}\xff\xc0\x80\xed\xa0\x80${text.slice(8)}`, 'latin1'),
  (_, chance) => {
    const depth = chance.of([100, 5_000, 30_000]);
    return '['.repeat(depth) + (chance.is(0.5) ? ']'.repeat(depth) : '');
  },
  (_, chance) => '{"hours":'.repeat(chance.of([50, 3_000])),
  (_, chance) => chance.of(['', ' ', 'NaN', '[1e999, -1e999, 1E400]', '"\\ud800"']),
  () => '{"displayName":"\\ud800\\u0000","username":"\\udfff"}',
];

/** The bytes of a body: as it should be, with some of it spoilt, or no JSON at all. */
export function bodyOf(chance: Chance, schema: Schema, plausible: Plausible): Buffer {
  let value = fitting(chance, schema, plausible);
  const spoils = chance.of([0, 0, 0, 0, 1, 1, 2]);
  for (let spoil = 0; spoil < spoils; spoil++) value = spoilt(chance, value);
  const text = JSON.stringify(value) ?? 'null';
  return Buffer.from(chance.is(0.1) ? chance.of(texts)(text, chance) : text);
}
