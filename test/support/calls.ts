import { openApi } from './openapi';

/* What a program relies on of each call: what it takes and needs, and the fields of each answer. */

/** Of one call: names that it takes, those of them that it needs, and the names of the fields of each answer by its code. */
export type Call = { takes: string[]; needs: string[]; answers: Record<string, string[]> };
export type Calls = Record<string, Call>;

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
};

const document = () => openApi() as unknown as { components: Record<string, Record<string, Schema>> };
const resolved = <Of extends { $ref?: string }>(part: Of): Of => {
  const [kind = '', name = ''] = part.$ref?.split('/').slice(-2) ?? [];
  return (part.$ref === undefined ? part : document().components[kind]?.[name]) as Of;
};

/** The fields of a schema by their paths, such as `rows[].id`; what names itself further down is not followed. */
function fieldsOf(given: Schema, path = '', within: string[] = []): string[] {
  if (given.$ref !== undefined && within.includes(given.$ref)) return [];
  const schema = resolved(given);
  const inside = given.$ref === undefined ? within : [...within, given.$ref];
  const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => fieldsOf(part, path, inside));
  const items = schema.items ? fieldsOf(schema.items, `${path}[]`, inside) : [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...fieldsOf(field, at, inside)];
  });
  return [...new Set([...own, ...items, ...parts])];
}

/** All calls of the document that the built product serves. */
export function documentedByCall(): Calls {
  const operations = Object.entries(openApi().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  return Object.fromEntries(
    operations.map(([name, { parameters, requestBody, responses }]) => {
      const asked = parameters.map((one) => resolved(one as { $ref?: string; name?: string; required?: boolean }));
      const body = requestBody?.content['application/json']?.schema as Schema | undefined;
      const needed = body ? (resolved(body).required ?? []) : [];
      const answers = Object.entries(responses).map(([code, { content }]) => {
        const schema = content?.['application/json']?.schema as Schema | undefined;
        return [code, schema ? fieldsOf(schema) : []] as const;
      });
      return [
        name,
        {
          takes: [...asked.map((one) => one.name ?? ''), ...(body ? fieldsOf(body) : [])],
          needs: [...asked.filter((one) => one.required).map((one) => one.name ?? ''), ...needed],
          answers: Object.fromEntries(answers),
        },
      ];
    }),
  );
}

const line = (word: string, names: string[]) => `  ${[word, ...names].join(' ')}\n`;

/** As a text: a call on a line, and below it what it takes, needs and answers. */
export const written = (calls: Calls): string =>
  Object.entries(calls)
    .map(
      ([name, { takes, needs, answers }]) =>
        `${name}\n${line('takes', takes)}${line('needs', needs)}${Object.entries(answers)
          .map(([code, fields]) => line(code, fields))
          .join('')}`,
    )
    .join('');

export function read(text: string): Calls {
  const calls = text.split(/^(?=[A-Z])/m).map((block) => {
    const [name = '', ...rest] = block.trimEnd().split('\n');
    const lines = Object.fromEntries(
      rest.map((one) => {
        const [word = '', ...names] = one.trim().split(' ');
        return [word, names];
      }),
    );
    const { takes = [], needs = [], ...answers } = lines;
    return [name, { takes, needs, answers }] as const;
  });
  return Object.fromEntries(calls);
}

/** What a program that was written for `before` would miss. */
export function brokenSince(before: Calls, now: Calls): string[] {
  return Object.entries(before).flatMap(([name, was]) => {
    const is = now[name];
    if (!is) return [`${name} is gone`];
    return [
      ...was.takes.filter((one) => !is.takes.includes(one)).map((one) => `${name} does not take ${one}`),
      ...is.needs.filter((one) => !was.needs.includes(one)).map((one) => `${name} needs ${one}`),
      ...Object.entries(was.answers).flatMap(([code, fields]) =>
        is.answers[code] === undefined
          ? [`${name} does not answer ${code}`]
          : fields
              .filter((one) => !is.answers[code]?.includes(one))
              .map((one) => `${name} answers ${code} without ${one}`),
      ),
    ];
  });
}
