import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from '@remix-run/cloudflare';
import type * as z from 'zod/mini';
import { DomainError, type ErrorCode, type Fault } from '../domain/errors';
import { type Page, parse } from '../domain/input/fields';
import { hasParts, type MaybeInParts } from '../domain/parts';
import { kibibyte, readBody } from './body.server';
import { failureOf } from './errors.server';
import { type Access, type Authorized, guarded } from './guards.server';
import { jsonPieces, sendPieces } from './pieces.server';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Schema = z.ZodMiniType;
type Read<Given extends Schema | undefined> = Given extends Schema ? z.output<Given> : undefined;

/** What a call is done with: what its schema describes, or a page of such; anything where nothing is answered. */
type Told<Answer extends Schema | undefined, Paged extends true | undefined> = Answer extends Schema
  ? Paged extends true
    ? Page<z.output<Answer>>
    : MaybeInParts<z.output<Answer>>
  : unknown;

/** One call of the API: who may make it, what it takes and answers, and what it does. */
type Call<
  Who extends Access,
  Query extends Schema | undefined,
  Body extends Schema | undefined,
  Answer extends Schema | undefined,
  Paged extends true | undefined,
> = {
  method: Method;
  who: Who;
  /** One sentence for the page and the document that list the calls. */
  says: string;
  query?: Query;
  body?: Body;
  /** What a success holds; nothing where it is a 204. Of a paged list, one row. */
  answers?: Answer;
  /** The answer is a page of a list, and X-Has-More says whether another follows. */
  isPaged?: Paged;
  /** What the domain may refuse beside bad input, a missing session or the wrong role. */
  refuses?: ErrorCode[];
  /** What the calendar or the book says of a body that is refused anyway; of one that is not, the domain says it. */
  alsoWrong?: (authorized: Authorized<Who>, body: unknown) => Fault[] | Promise<Fault[]>;
  /** The answer is a file to keep, by that name. */
  filename?: string;
  /** The id comes in the path, after the call's name. */
  isPath?: true;
  /** The body may be left out. */
  isBodyOptional?: true;
  /** Bodies of up to 512 KiB instead of 64. */
  isLarge?: true;
  /** What a success is, where not 200. What creates, creates once for an Idempotency-Key. */
  status?: 201 | 202 | 204;
  /** What a caller who is not logged in gets, where not 401. */
  loggedOut?: 400;
  run: (authorized: Authorized<Who>, sent: Sent<Query, Body>) => Promise<Told<Answer, Paged>>;
};

type Sent<Query extends Schema | undefined, Body extends Schema | undefined> = {
  query: Read<Query>;
  body: Read<Body>;
  /** Of Idempotency-Key, or one of our own; empty where the call only reads. */
  key: string;
};

export type AnyCall = Call<Access, Schema | undefined, Schema | undefined, Schema | undefined, true | undefined>;

/** Says what a call is, with its types. */
export function call<
  Who extends Access,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Answer extends Schema | undefined = undefined,
  Paged extends true | undefined = undefined,
>(one: Call<Who, Query, Body, Answer, Paged>): AnyCall {
  return one as unknown as AnyCall;
}

/** A page of a list, row by row as the API shows it. */
export const paged = <Row, Shown>({ rows, hasMore }: Page<Row>, shape: (row: Row) => Shown): Page<Shown> => ({
  rows: rows.map(shape),
  hasMore,
});

const controllers = new Map<string, Record<string, AnyCall>>();

/** A call of no controller stands below /api itself. */
const pathOf = (controller: string, name: string) => `/api/${controller && `${controller}/`}${name}`;

/** Every call of the product, as the tables that answer them have it. */
export const listCalls = () =>
  [...controllers].map(([controller, calls]) => ({
    controller,
    calls: Object.entries(calls).map(([name, one]) => ({
      ...one,
      name,
      path: pathOf(controller, name) + (one.isPath ? '/{id}' : ''),
    })),
  }));

/** Who may make a call, in words. */
export const audience = ({ who }: AnyCall): string =>
  who === 'anyone' ? who : who === 'member' ? 'whoever is logged in' : `${who}s`;

const jsonType = { 'Content-Type': 'application/json; charset=utf-8' };

const refuse = (status: number, message: string, headers: Record<string, string> = {}) =>
  json(message, { status, headers });

/** How large the body of a call may be, in bytes. */
export const bodyLimit = ({ isLarge }: AnyCall) => (isLarge ? 512 : 64) * kibibyte;

/** How long an Idempotency-Key may be. */
export const keyLimit = 200;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('invalid', 'The body is not JSON.');
  }
}

function keyOf(one: AnyCall, request: Request): string {
  if (one.method === 'GET') return '';
  const key = one.status === 201 ? request.headers.get('Idempotency-Key') : null;
  if (key && key.length > keyLimit) {
    throw new DomainError('invalid', `Idempotency-Key can have at most ${keyLimit} characters.`);
  }
  return key || crypto.randomUUID();
}

/** What the body is read by: nothing where the call takes none, or where one that may be left out is blank. */
const bodySchema = ({ body, isBodyOptional }: AnyCall, text: string) =>
  isBodyOptional && text.trim() === '' ? undefined : body;

/** A call as it came: the id in its path, and the text of its body. */
type Received = { request: Request; id: string | undefined; text: string };

/** Reads query and body together, so that one answer names every fault of both. */
async function readSent(
  one: AnyCall,
  authorized: Authorized<Access>,
  { request, id, text }: Received,
): Promise<Sent<Schema, Schema>> {
  let faults: Fault[] = [];
  let json: unknown;
  const read = <Value>(reading: () => Value): Value | undefined => {
    try {
      return reading();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faults = faults.concat(error.faults);
      return undefined;
    }
  };
  const given = { ...Object.fromEntries(new URL(request.url).searchParams), ...(one.isPath && { id }) };
  const query = read(() => one.query && parse(one.query, given));
  const schema = bodySchema(one, text);
  const body = read(() => {
    if (!schema) return undefined;
    json = parseJson(text);
    return parse(schema, json);
  });
  const key = read(() => keyOf(one, request)) ?? '';
  if (faults.length > 0) {
    throw new DomainError('invalid', [...faults, ...((await one.alsoWrong?.(authorized, json)) ?? [])]);
  }
  return { query, body, key };
}

/**
 * Answers the calls of one controller. Judged in this order: path, method, another site's page, size and type of the
 * body, session, role, shape; then the domain says the rest.
 */
export function answerJson(controller: string, calls: Record<string, AnyCall>) {
  controllers.set(controller, calls);
  const named = new Map(Object.entries(calls).map(([name, one]) => [name.toLowerCase(), { name, one }]));

  return async ({ request, params, context }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> => {
    const { name = '', one } = named.get((params.call ?? '').toLowerCase()) ?? {};
    if (!one || Boolean(one.isPath) !== Boolean(params.id)) return refuse(404, 'There is no such call.');
    context.route = pathOf(controller, name);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method !== one.method) {
      const allowed = one.method === 'GET' ? 'GET, HEAD' : one.method;
      return refuse(405, `This call is a ${one.method}.`, { Allow: allowed });
    }
    if (context.isCrossSite) return refuse(403, 'A page of another site may not do this.');
    const text = await readBody(request, bodyLimit(one));
    if (text === 413) return refuse(413, 'The body is too large.');
    if (text === 400) return json(['The body broke off.'], { status: 400 });
    const isJson = /^application\/json\s*(;|$)/i.test(request.headers.get('Content-Type') ?? '');
    if (bodySchema(one, text) && !isJson) return refuse(415, 'The body must be application/json.');
    try {
      await (method === 'GET' ? context.limitReads() : context.limitWrites());
      const done = await guarded(context, one.who, async (authorized) =>
        one.run(authorized, (await readSent(one, authorized, { request, id: params.id, text })) as never),
      );
      if (one.status === 204) return new Response(null, { status: 204 });
      const headers = one.filename ? { 'Content-Disposition': `attachment; filename="${one.filename}"` } : undefined;
      if (hasParts(done)) return await sendPieces(jsonPieces(done), context.id, { ...jsonType, ...headers });
      if (!one.isPaged) return json(done, { status: one.status ?? 200, headers });
      const { rows, hasMore } = done as Page<unknown>;
      return json(rows, { headers: { 'X-Has-More': String(hasMore) } });
    } catch (error) {
      const { status, faults, isList, headers } = failureOf(error, context.id);
      const messages = faults.map(({ message }) => message);
      const isLoggedOut = one.loggedOut && error instanceof DomainError && error.code === 'unauthenticated';
      return json(isList ? messages : messages[0], { status: isLoggedOut ? 400 : status, headers });
    }
  };
}
