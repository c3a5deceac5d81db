import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare';
import type * as z from 'zod/mini';
import { DomainError, type ErrorCode, type Fault } from '../domain/errors';
import { type Page, parse } from '../domain/input/fields';
import { textOf } from '../domain/people/csv';
import { hasParts, type MaybeInParts } from '../domain/streamed-list';
import { inEnglish } from '../domain/words/english';
import * as paths from '../paths';
import { kibibyte, readBlob } from './body.server';
import { inBookOf } from './book-of.server';
import type { Context } from './context';
import { failureOf } from './errors.server';
import { type Access, type Authorized, guarded } from './guards.server';
import { jsonResponse, jsonType, type Shown } from './json.server';
import { jsonPieces, sendPieces } from './pieces.server';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Schema = z.ZodMiniType;
type Parsed<Of extends Schema | undefined> = Of extends Schema ? z.output<Of> : undefined;

type ResultOf<Shape extends Schema | undefined, Paged extends true | undefined> = Shape extends Schema
  ? Paged extends true
    ? Page<z.output<Shape>>
    : MaybeInParts<z.output<Shape>>
  : unknown;

type Call<
  Who extends Access,
  Query extends Schema | undefined,
  Body extends Schema | undefined,
  Shape extends Schema | undefined,
  Paged extends true | undefined,
> = {
  method: Method;
  who: Who;
  says: string; // the call's description, for the list of calls and the OpenAPI document
  query?: Query;
  body?: Body;
  /** The shape of a successful response, or of a row if the response is a page of a list; left out for a 204. */
  response?: Shape;
  /** The response is a page of a list; X-Has-More says whether another follows. */
  isPaged?: Paged;
  refuses?: ErrorCode[]; // besides bad input, a missing session and the wrong role
  /** Finds faults that only the database knows, so that the refusal of a body names all faults at once. */
  alsoWrong?: (authorized: Authorized<Who>, body: unknown) => Fault[] | Promise<Fault[]>;
  filename?: string; // the response is a download of that name
  isPath?: true; // the path ends in `/{id}`
  isBodyOptional?: true;
  isLarge?: true; // bodies of up to 512 KiB instead of 64
  isCsv?: true; // the body is a table, text/csv of up to 2 MiB
  status?: 201 | 202 | 204; // the status of a success; 200 by default
  /** `of` in the query names the colleague for whom the caller acts, or the shop too. */
  hasOf?: 'colleague' | 'shop';
  keys?: 'never'; // no key of a program opens the call, because it touches what guards the account
  showsSecret?: true; // the response contains a secret, so it is not stored for the Idempotency-Key
  loggedOut?: 400; // the status without a login; 401 by default
  run: (authorized: Authorized<Who>, input: CallInput<Query, Body>) => Promise<ResultOf<Shape, Paged>>;
};

type CallInput<Query extends Schema | undefined, Body extends Schema | undefined> = {
  query: Parsed<Query>;
  body: Parsed<Body>;
  key: string; // the Idempotency-Key, or a random one; empty for a read
};

export type AnyCall = Call<Access, Schema | undefined, Schema | undefined, Schema | undefined, true | undefined>;

/** Lets TypeScript check the parts of a call against each other. */
export function call<
  Who extends Access,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Shape extends Schema | undefined = undefined,
  Paged extends true | undefined = undefined,
>(definition: Call<Who, Query, Body, Shape, Paged>): AnyCall {
  return definition as unknown as AnyCall;
}

export const paged = <Row, Shown>({ rows, hasMore }: Page<Row>, shape: (row: Row) => Shown): Page<Shown> => ({
  rows: rows.map(shape),
  hasMore,
});

const controllers = new Map<string, Record<string, AnyCall>>();

/** The address of a call. */
export const pathOf = (controller: string, name: string) => `/api/${controller && `${controller}/`}${name}`;

export const listCalls = () =>
  [...controllers].map(([controller, calls]) => ({
    controller,
    calls: Object.entries(calls).map(([name, definition]) => ({
      ...definition,
      name,
      path: pathOf(controller, name) + (definition.isPath ? '/{id}' : ''),
    })),
  }));

export const audience = ({ who }: AnyCall): string =>
  who === 'anyone' ? who : who === 'member' ? 'whoever is logged in' : `${who}s`;

const refuse = (status: number, message: string, headers: Record<string, string> = {}) =>
  jsonResponse(message, { status, headers });

export const bodyLimit = ({ isLarge, isCsv }: AnyCall) => (isCsv ? 2048 : isLarge ? 512 : 64) * kibibyte;

export const keyLimit = 200;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('invalid', 'The body is not JSON.');
  }
}

export const takesKey = ({ status, who, showsSecret }: AnyCall): boolean =>
  status === 201 && who !== 'anyone' && !showsSecret;

function keyOf(definition: AnyCall, request: Request): string {
  if (definition.method === 'GET') return '';
  const key = takesKey(definition) ? request.headers.get('Idempotency-Key') : null;
  if (key && key.length > keyLimit) {
    throw new DomainError('invalid', `Idempotency-Key can have at most ${keyLimit} characters.`);
  }
  return key || crypto.randomUUID();
}

const bodySchema = ({ body, isBodyOptional }: AnyCall, text: string) =>
  isBodyOptional && text.trim() === '' ? undefined : body;

/** What a key may not; undefined if it may make the call, or there is none. */
function refusalOfKey({ method, keys }: AnyCall, { key }: Pick<Context, 'key'>): Response | undefined {
  if (key === 'wrong') {
    const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    return refuse(401, 'This key is wrong, was ended or is over.', headers);
  }
  if (key && keys === 'never') return refuse(403, 'No key may do this: log in.');
  if (key === 'read' && method !== 'GET') return refuse(403, 'This key may only read.');
  return undefined;
}

const personalLinks = [paths.booking, paths.waiting, paths.offer].map((pathOf) => pathOf(''));
/** Hides personal links from a key that only reads: whoever has one may move, cancel or book, also once the key has ended. */
const withoutPersonalLinks: Shown = (name, value) =>
  name === 'link' && typeof value === 'string' && personalLinks.some((path) => value.startsWith(path)) ? null : value;

type ReceivedCall = { request: Request; id: string | undefined; text: string };

// Checks query and body together, so that one response names all faults.
async function readInput(
  definition: AnyCall,
  authorized: Authorized<Access>,
  { request, id, text }: ReceivedCall,
): Promise<CallInput<Schema, Schema>> {
  let faults: Fault[] = [];
  let json: unknown;
  const collect = <Value>(parsing: () => Value): Value | undefined => {
    try {
      return parsing();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faults = faults.concat(error.faults);
      return undefined;
    }
  };
  const fields = { ...Object.fromEntries(new URL(request.url).searchParams), ...(definition.isPath && { id }) };
  const query = collect(() => definition.query && parse(definition.query, fields));
  const schema = bodySchema(definition, text);
  const body = collect(() => {
    if (!schema) return undefined;
    json = definition.isCsv ? text : parseJson(text);
    return parse(schema, json);
  });
  const key = collect(() => keyOf(definition, request)) ?? '';
  if (faults.length > 0) {
    throw new DomainError('invalid', [...faults, ...((await definition.alsoWrong?.(authorized, json)) ?? [])]);
  }
  return { query, body, key };
}

/**
 * Handles a call. It checks the session before the input, so that a stranger learns nothing about the input's shape.
 */
export function callHandlers(controller: string, calls: Record<string, AnyCall>) {
  controllers.set(controller, calls);
  const byName = new Map(Object.entries(calls).map(([name, definition]) => [name.toLowerCase(), { name, definition }]));

  return async ({ request, params, context }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> => {
    const { name = '', definition } = byName.get((params.call ?? '').toLowerCase()) ?? {};
    if (!definition || Boolean(definition.isPath) !== Boolean(params.id)) return refuse(404, 'There is no such call.');
    context.route = pathOf(controller, name);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method !== definition.method) {
      const allowed = definition.method === 'GET' ? 'GET, HEAD' : definition.method;
      return refuse(405, `This call is a ${definition.method}.`, { Allow: allowed });
    }
    if (context.isCrossSite) return refuse(403, 'A page of another site may not do this.');
    const blob = await readBlob(request, bodyLimit(definition));
    const text =
      typeof blob === 'number'
        ? blob
        : definition.isCsv
          ? textOf(new Uint8Array(await blob.arrayBuffer()))
          : await blob.text();
    if (text === 413) return refuse(413, 'The body is too large.');
    if (text === 400) return jsonResponse(['The body broke off.'], { status: 400 });
    const type = definition.isCsv ? 'text/csv' : 'application/json';
    const isRight = (request.headers.get('Content-Type') ?? '').toLowerCase().split(';', 1)[0]?.trim() === type;
    if (bodySchema(definition, text) && !isRight) return refuse(415, `The body must be ${type}.`);
    try {
      await (method === 'GET' ? context.limitReads() : context.limitWrites());
      const refused = refusalOfKey(definition, context);
      if (refused) return refused;
      const result = await guarded(context, definition.who, async (authorized) => {
        const whose = definition.hasOf
          ? await inBookOf(authorized, new URL(request.url), definition.hasOf === 'shop')
          : authorized;
        return definition.run(whose, (await readInput(definition, whose, { request, id: params.id, text })) as never);
      });
      if (definition.status === 204) return new Response(null, { status: 204 });
      const headers = definition.filename
        ? { 'Content-Disposition': `attachment; filename="${definition.filename}"` }
        : undefined;
      if (hasParts(result)) return await sendPieces(jsonPieces(result), context.id, { ...jsonType, ...headers });
      const shown = context.key === 'read' ? withoutPersonalLinks : undefined;
      if (!definition.isPaged) return jsonResponse(result, { status: definition.status ?? 200, headers, shown });
      const { rows, hasMore } = result as Page<unknown>;
      return jsonResponse(rows, { headers: { 'X-Has-More': String(hasMore) }, shown });
    } catch (error) {
      const { status, faults, isList, headers } = failureOf(error, context.id);
      const messages = faults.map(({ message }) => inEnglish(message));
      const isLoggedOut = definition.loggedOut && error instanceof DomainError && error.code === 'unauthenticated';
      return jsonResponse(isList ? messages : messages[0], { status: isLoggedOut ? 400 : status, headers });
    }
  };
}
