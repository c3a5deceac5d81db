import * as z from 'zod/mini';
import type { ErrorCode } from '../../domain/errors';
import { type AnyCall, audience, bodyLimit, keyLimit, listCalls, takesKey } from '../../http/api.server';
import { bookmarkHeader, bookmarkShape } from '../../http/bookmark.server';
import { isListed, statuses } from '../../http/errors.server';
import { sessionName } from '../../http/session.server';
import './account';
import './appointment';
import './checkin';
import './health';
import './meetup';
import './party';
import './people';
import './public';
import './service';
import './shop';
import './waitlist';

// The OpenAPI document, made from the tables in routes/api/. The build makes it and the edge serves it as a file,
// because its code would add a thirtieth to the Worker.

type Json = Record<string, unknown>;
type Listed = ReturnType<typeof listCalls>[number]['calls'][number];

const reasons: Record<number, string> = {
  400: 'What was sent breaks a rule.',
  401: 'Not logged in, not with the right name and password, or with a key that opens nothing.',
  403: 'Logged in with the wrong role or with a key that may not do this, or sent by the page of another site.',
  404: 'There is no such thing, or this caller may not see it.',
  409: 'The state of things forbids it.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many tries.',
  503: 'Storage is unavailable; nothing was changed.',
};

const header = (description: string, schema: Json) => ({ description, schema });
const retryAfter = { 'Retry-After': header('Seconds until another try makes sense.', { type: 'integer' }) };
const hasMore = { 'X-Has-More': header('Whether another page follows.', { type: 'string', enum: ['true', 'false'] }) };
const reached = { [bookmarkHeader]: { $ref: '#/components/headers/Bookmark' } };
const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const inJson = (schema: Json) => ({ content: { 'application/json': { schema } } });

/** The statuses of refusals of a call, and whether the body is a list of messages. */
function refusalsOf({
  query,
  body,
  who,
  method,
  status,
  keys,
  hasOf,
  refuses = [],
  loggedOut,
}: AnyCall): Map<number, Set<boolean>> {
  const isWrite = method !== 'GET';
  const codes: (ErrorCode | false)[] = [
    // A call that creates something takes a key, and the key may be too long.
    ((query || body) !== undefined || status === 201) && 'invalid',
    who !== 'anyone' && 'unauthenticated',
    ((who !== 'anyone' && who !== 'member') || isWrite || keys === 'never') && 'forbidden',
    'too_many',
    hasOf ? 'not_found' : false,
    ...refuses,
  ];
  const errorCodes = codes.filter((code) => code !== false);
  const statusOf = (code: ErrorCode) => (code === 'unauthenticated' && loggedOut) || statuses[code];
  const refusals = new Map<number, Set<boolean>>();
  const add = (status: number, isList: boolean) =>
    refusals.set(status, (refusals.get(status) ?? new Set()).add(isList));
  for (const code of errorCodes) add(statusOf(code), isListed(code));
  // 401 for a wrong key, which any call may bring.
  for (const status of body ? [401, 413, 415, 503] : [401, 503]) add(status, false);
  return refusals;
}

const refusal = (status: number, isList: Set<boolean>) => {
  const schemas = [...isList].map((listed) => refer(listed ? 'Messages' : 'Message'));
  return {
    description: reasons[status],
    ...((status === 429 || status === 503) && { headers: retryAfter }),
    ...inJson(schemas.length > 1 ? { anyOf: schemas } : (schemas[0] as Json)),
  };
};

/** How to log in for a call: with a session, and for most calls with the key of a program. The names are those of roles and scopes. */
function securityOf({ who, method, keys }: AnyCall): Json[] {
  if (who === 'anyone') return [];
  const role = who === 'member' ? [] : [who];
  const byKey = { key: [method === 'GET' ? 'read' : 'write', ...role] };
  return [{ session: role }, ...(keys === 'never' ? [] : [byKey])];
}

/** The schema of a parameter, without null, because an address has no null. */
const withoutNull = ({ type, ...schema }: Json): Json => ({
  type: Array.isArray(type) ? type.find((name) => name !== 'null') : type,
  ...schema,
});

/** The OpenAPI 3.1 document of every call. */
export function openApiDocument(version: string) {
  const schemas: Record<string, unknown> = {
    Message: { type: 'string', description: 'What was refused, in words for people.' },
    Messages: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'One message for each fault.' },
  };

  /** Turns a schema into JSON Schema. A schema with a name becomes a component of the document. */
  function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    const text = JSON.stringify(z.toJSONSchema(schema, { io })).replaceAll('#/$defs/', '#/components/schemas/');
    const { $schema: _, $defs = {}, ...own } = JSON.parse(text);
    Object.assign(schemas, $defs);
    return own;
  }

  function parametersOf(call: AnyCall) {
    const { query, isPath, method } = call;
    const { properties = {}, required = [] } = (query ? schemaOf(query, 'input') : {}) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    const own = Object.entries(properties).map(([name, { description, ...schema }]) => {
      const isInPath = isPath && name === 'id';
      return {
        name,
        in: isInPath ? 'path' : 'query',
        required: isInPath || required.includes(name),
        ...(description !== undefined && { description }),
        schema: withoutNull(schema),
      };
    });
    const ofRead = method === 'GET' ? [{ $ref: '#/components/parameters/Bookmark' }] : [];
    const of = call.hasOf ? [{ $ref: '#/components/parameters/Of' }] : [];
    return [...own, ...of, ...ofRead, ...(takesKey(call) ? [{ $ref: '#/components/parameters/Key' }] : [])];
  }

  function successOf({ response, isPaged }: AnyCall) {
    if (!response) return { description: 'Done.', headers: reached };
    const schema = schemaOf(response, 'output');
    return isPaged
      ? {
          description: 'A page of the list.',
          headers: { ...hasMore, ...reached },
          ...inJson({ type: 'array', items: schema }),
        }
      : { description: 'Done.', headers: reached, ...inJson(schema) };
  }

  function operationOf(controller: string, call: Listed) {
    const { name, says, body, status = 200 } = call;
    const refusals = [...refusalsOf(call)].map(([code, isList]) => [code, refusal(code, isList)]);
    return {
      operationId: controller ? `${controller}_${name}` : name,
      tags: [controller || 'Operating'],
      summary: says,
      description: `For ${audience(call)}.`,
      security: securityOf(call),
      parameters: parametersOf(call),
      ...(body && {
        requestBody: {
          description: `Up to ${bodyLimit(call) / 1024} KiB.`,
          required: !call.isBodyOptional,
          ...(call.isCsv
            ? { content: { 'text/csv': { schema: { type: 'string' } } } }
            : inJson(schemaOf(body, 'input'))),
        },
      }),
      responses: { [status]: successOf(call), ...Object.fromEntries(refusals) },
    };
  }

  const paths = Object.fromEntries(
    listCalls().flatMap(({ controller, calls }) =>
      calls.map((call) => [call.path, { [call.method.toLowerCase()]: operationOf(controller, call) }]),
    ),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Daybook',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Every write is safe to repeat. Texts are trimmed and count in characters; properties and parameters that are not named here are ignored. Dates and times of day are those of the provider. A wrong method is a 405 that names the right one in Allow.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas,
      parameters: {
        Of: {
          name: 'of',
          in: 'query',
          description:
            "The username of the shop or the colleague for whom its desk or an owner acts; the caller's own book without it.",
          schema: { type: 'string' },
        },
        Key: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'The same key by the same caller within 24 hours is given the same answer, and nothing is done twice.',
          schema: { type: 'string', maxLength: keyLimit },
        },
        Bookmark: {
          name: bookmarkHeader,
          in: 'header',
          description:
            'The bookmark of an earlier answer: this one is at least as fresh. One that the database does not know is as none. A caller that keeps cookies has it in one, for five minutes after a write.',
          schema: { type: 'string', pattern: bookmarkShape.source },
        },
      },
      headers: {
        Bookmark: header('How fresh this answer is. Send it with the next read, from wherever that is made.', {
          type: 'string',
        }),
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionName },
        key: { type: 'http', scheme: 'bearer', description: 'A key of `Account/MakeKey`: daybook_…' },
      },
    },
  };
}
