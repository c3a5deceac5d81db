import { beforeAll, expect, test } from 'vitest';
import type { Schema } from '../../habits/json';
import { dayAhead, type Person, peopleAt } from '../../support/factories';
import { openApi } from '../../support/openapi';
import { useServer } from '../../support/use-server';

/* What JSON can say and no text can be made of: `String()` of it throws. */
const unreadable = { toString: 1, valueOf: true, length: 'x' };

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let provider: Person;
let consumer: Person;
beforeAll(async () => {
  [provider, consumer] = [await newProvider(), await newConsumer()];
});

const usual: Record<string, unknown> = { start: '09:00', end: '10:00', date: dayAhead(3), questionType: 1, day: 1 };

/** A body that fits a schema well enough to be looked at. */
function fitting(schema: Schema, name = ''): unknown {
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([own, inner]) => [own, fitting(inner, own)]));
  }
  if (schema.anyOf) return fitting(schema.anyOf[0] ?? {}, name);
  const [type] = [schema.type].flat();
  if (type === 'array') return [fitting(schema.items ?? {}, name), fitting(schema.items ?? {}, name)];
  return usual[name] ?? schema.enum?.[0] ?? (type === 'integer' ? (schema.minimum ?? 1) : 'Words');
}

/** Such bodies, each with what can't be read in one place, and twice in a list. */
function spoilt(schema: Schema, name = ''): unknown[] {
  if (schema.anyOf && !schema.properties) return schema.anyOf.flatMap((one) => spoilt(one, name));
  const whole = fitting(schema, name) as Record<string, unknown>;
  const fields = Object.entries(schema.properties ?? {}).flatMap(([own, inner]) =>
    spoilt(inner, own).map((value) => ({ ...whole, [own]: value })),
  );
  const entries = schema.items ? spoilt(schema.items, name).map((value) => [value, value]) : [];
  return [unreadable, [unreadable], ...fields, ...entries];
}

test('a value that no text can be made of is refused in each place of each body, and never a fault of ours', {
  timeout: 120_000,
}, async () => {
  const calls = Object.entries(openApi().paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody }]) => ({
      path: path.replace('{id}', 'none'),
      method: method.toUpperCase(),
      schema: requestBody?.content['application/json']?.schema as Schema | undefined,
    })),
  );
  let sent = 0;
  for (const { path, method, schema } of calls) {
    for (const body of schema ? spoilt(schema) : []) {
      // It throws at a status that the document does not name.
      const send = (who: Person) => who.api(method, `${path}?id=none`, body);
      const first = await send(provider);
      const { status } = first.status === 403 ? await send(consumer) : first;
      expect(status, JSON.stringify(body)).toBeLessThan(500);
      sent += 1;
    }
  }
  expect(sent).toBeGreaterThan(200);
});

test.each([
  ['reminders', '/api/Account/SetReminders', 'PUT', { reminders: [unreadable] }],
  ['reminders in a list of their own', '/api/Account/SetReminders', 'PUT', { reminders: [[60]] }],
  [
    'a question that is named by nothing, with an option twice',
    '/api/Checkin/CreateTemplate?templateName=Visit',
    'POST',
    [{ questionText: unreadable, questionType: 1, options: ['Yes', 'yes'] }],
  ],
])('%s: 400, and nothing is kept', async (_, path, method, body) => {
  const { status, json } = await provider.api(method, path, body);
  expect([status, json]).toEqual([400, expect.arrayContaining([expect.any(String)])]);
});
