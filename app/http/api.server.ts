import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare';
import type * as z from 'zod/mini';
import { DomainError, type ErrorCode, type Fault } from '../domain/errors';
import { type Page, parse } from '../domain/input/fields';
import { textOf } from '../domain/people/csv';
import { hasParts, type MaybeInParts } from '../domain/streamed-list';
import { kibibyte, readBlob } from './body.server';
import { failureOf } from './errors.server';
import { type Access, type Authorized, guarded } from './guards.server';
import { answerValue, jsonType } from './json.server';
import { jsonPieces, sendPieces } from './pieces.server';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Schema = z.ZodMiniType;
type Parsed<Of extends Schema | undefined> = Of extends Schema ? z.output<Of> : undefined;

type Answers<Shape extends Schema | undefined, Paged extends true | undefined> = Shape extends Schema
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
  /** One sentence for the page and the document that list the calls. */
  says: string;
  query?: Query;
  body?: Body;
  /** The shape of a success, or of one row of a paged list; left out for a 204. */
  answers?: Shape;
  /** The answer is a page of a list, and X-Has-More says whether another follows. */
  isPaged?: Paged;
  /** Errors of the domain beside bad input, a missing session and the wrong role. */
  refuses?: ErrorCode[];
  /** Adds the faults that only the database knows to those of a refused body, so that one answer names all. */
  alsoWrong?: (authorized: Authorized<Who>, body: unknown) => Fault[] | Promise<Fault[]>;
  /** Makes the answer a download of that name. */
  filename?: string;
  /** The path ends in `/{id}`. */
  isPath?: true;
  isBodyOptional?: true;
  /** Bodies of up to 512 KiB instead of 64. */
  isLarge?: true;
  /** The body is a table, text/csv of up to 2 MiB. */
  isCsv?: true;
  /** The status of a success; 200 unless said. */
  status?: 201 | 202 | 204;
  /** The answer holds a secret that is shown this once, so no Idempotency-Key replays it. */
  showsSecret?: true;
  /** The status for callers without a login; 401 unless said. */
  loggedOut?: 400;
  run: (authorized: Authorized<Who>, input: CallInput<Query, Body>) => Promise<Answers<Shape, Paged>>;
};

type CallInput<Query extends Schema | undefined, Body extends Schema | undefined> = {
  query: Parsed<Query>;
  body: Parsed<Body>;
  /** The Idempotency-Key, or a random one; empty for a read. */
  key: string;
};

export type AnyCall = Call<Access, Schema | undefined, Schema | undefined, Schema | undefined, true | undefined>;

/** Checks the types of a call's parts against each other. */
export function call<
  Who extends Access,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Answer extends Schema | undefined = undefined,
  Paged extends true | undefined = undefined,
>(definition: Call<Who, Query, Body, Answer, Paged>): AnyCall {
  return definition as unknown as AnyCall;
}

/** A page of a list, row by row as the API shows it. */
export const paged = <Row, Shown>({ rows, hasMore }: Page<Row>, shape: (row: Row) => Shown): Page<Shown> => ({
  rows: rows.map(shape),
  hasMore,
});

const controllers = new Map<string, Record<string, AnyCall>>();

const pathOf = (controller: string, name: string) => `/api/${controller && `${controller}/`}${name}`;

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
  answerValue(message, { status, headers });

export const bodyLimit = ({ isLarge, isCsv }: AnyCall) => (isCsv ? 2048 : isLarge ? 512 : 64) * kibibyte;

export const keyLimit = 200;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('invalid', 'The body is not JSON.');
  }
}

/** True for a call that creates once for each Idempotency-Key. */
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

type ReceivedCall = { request: Request; id: string | undefined; text: string };

/** Reads query and body together, so that one answer names every fault of both. */
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

/** Answers the calls of one controller. The order of its checks tells a stranger nothing: the session comes before the shape. */
export function answerJson(controller: string, calls: Record<string, AnyCall>) {
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
    if (text === 400) return answerValue(['The body broke off.'], { status: 400 });
    const type = definition.isCsv ? 'text/csv' : 'application/json';
    const isRight = (request.headers.get('Content-Type') ?? '').toLowerCase().split(';', 1)[0]?.trim() === type;
    if (bodySchema(definition, text) && !isRight) return refuse(415, `The body must be ${type}.`);
    try {
      await (method === 'GET' ? context.limitReads() : context.limitWrites());
      const result = await guarded(context, definition.who, async (authorized) =>
        definition.run(
          authorized,
          (await readInput(definition, authorized, { request, id: params.id, text })) as never,
        ),
      );
      if (definition.status === 204) return new Response(null, { status: 204 });
      const headers = definition.filename
        ? { 'Content-Disposition': `attachment; filename="${definition.filename}"` }
        : undefined;
      if (hasParts(result)) return await sendPieces(jsonPieces(result), context.id, { ...jsonType, ...headers });
      if (!definition.isPaged) return answerValue(result, { status: definition.status ?? 200, headers });
      const { rows, hasMore } = result as Page<unknown>;
      return answerValue(rows, { headers: { 'X-Has-More': String(hasMore) } });
    } catch (error) {
      const { status, faults, isList, headers } = failureOf(error, context.id);
      const messages = faults.map(({ message }) => message);
      const isLoggedOut = definition.loggedOut && error instanceof DomainError && error.code === 'unauthenticated';
      return answerValue(isList ? messages : messages[0], { status: isLoggedOut ? 400 : status, headers });
    }
  };
}
