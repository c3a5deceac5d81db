import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from '@remix-run/cloudflare';
import type * as z from 'zod/mini';
import { DomainError, type Fault } from '../domain/errors';
import { type Page, parse } from '../domain/fields';
import { failureOf } from './errors.server';
import { type Access, type Asked, guarded } from './guards.server';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Schema = z.ZodMiniType;
type Read<Given extends Schema | undefined> = Given extends Schema ? z.output<Given> : undefined;

/** One call of the API: who may make it, what it takes, and what it does. */
type Call<Who extends Access, Query extends Schema | undefined, Body extends Schema | undefined> = {
  method: Method;
  who: Who;
  /** One sentence for the page that lists the calls. */
  says: string;
  query?: Query;
  body?: Body;
  /** What the calendar says of a body that is refused anyway; of one that is not, the domain says it. */
  alsoWrong?: (asked: Asked<Who>, body: unknown) => Fault[];
  /** The id comes in the path, after the call's name. */
  isPath?: true;
  /** The body may be left out. */
  isBodyOptional?: true;
  /** Bodies of up to 512 KiB instead of 64. */
  isLarge?: true;
  /** What a success is, where not 200. */
  status?: 201 | 204;
  /** What a caller who is not logged in gets, where not 401. */
  loggedOut?: 400;
  run: (asked: Asked<Who>, sent: Sent<Query, Body>) => Promise<unknown>;
};

type Sent<Query extends Schema | undefined, Body extends Schema | undefined> = {
  query: Read<Query>;
  body: Read<Body>;
  /** Of Idempotency-Key, or one of our own. */
  key: string;
};

export type AnyCall = Call<Access, Schema | undefined, Schema | undefined>;

/** Says what a call is, with its types. */
export function call<
  Who extends Access,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
>(one: Call<Who, Query, Body>): AnyCall {
  return one as unknown as AnyCall;
}

/** A body with headers of its own. */
export class Reply {
  constructor(
    readonly body: unknown,
    readonly headers: Record<string, string>,
  ) {}
}

/** A page of a list, and in X-Has-More whether another follows. */
export const paged = <Row>({ rows, hasMore }: Page<Row>, shape: (row: Row) => unknown) =>
  new Reply(rows.map(shape), { 'X-Has-More': String(hasMore) });

const controllers = new Map<string, Record<string, AnyCall>>();

/** Every call of the product, as the tables that answer them have it. */
export const listCalls = () =>
  [...controllers].map(([controller, calls]) => ({
    controller,
    calls: Object.entries(calls).map(([name, { method, who, says, isPath }]) => {
      const path = `/api/${controller}/${name}${isPath ? '/{id}' : ''}`;
      return {
        path,
        method,
        who: who === 'anyone' ? who : who === 'member' ? 'whoever is logged in' : `${who}s`,
        says,
      };
    }),
  }));

const refuse = (status: number, message: string, headers: Record<string, string> = {}) =>
  json(message, { status, headers });

const kibibyte = 1024;

/** Reads a body up to a size, declared or not; null where it is larger. */
async function readBody(request: Request, limit: number): Promise<string | null> {
  if (Number(request.headers.get('Content-Length') ?? 0) > limit) return null;
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return new Blob(chunks as BlobPart[]).text();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('invalid', 'The body is not JSON.');
  }
}

function keyOf(request: Request): string {
  const key = request.headers.get('Idempotency-Key');
  if (key && key.length > 200) throw new DomainError('invalid', 'Idempotency-Key can have at most 200 characters.');
  return key || crypto.randomUUID();
}

/** A call as it came: the id in its path, and the text of its body. */
type Received = { request: Request; id: string | undefined; text: string };

/** Reads query and body together, so that one answer names every fault of both. */
function readSent(one: AnyCall, asked: Asked<Access>, { request, id, text }: Received): Sent<Schema, Schema> {
  const faults: Fault[] = [];
  let json: unknown;
  const read = <Value>(reading: () => Value): Value | undefined => {
    try {
      return reading();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const given = { ...Object.fromEntries(new URL(request.url).searchParams), ...(one.isPath && { id }) };
  const query = read(() => one.query && parse(one.query, given));
  const hasBody = one.body && !(one.isBodyOptional && text.trim() === '');
  const body = read(() => {
    if (!hasBody || !one.body) return undefined;
    json = parseJson(text);
    return parse(one.body, json);
  });
  const key = read(() => keyOf(request)) ?? '';
  if (faults.length > 0) throw new DomainError('invalid', [...faults, ...(one.alsoWrong?.(asked, json) ?? [])]);
  return { query, body, key };
}

/**
 * Answers the calls of one controller. Judged in this order: path, method, another site's page, size and type of the
 * body, session, role, shape; then the domain says the rest.
 */
export function answerJson(controller: string, calls: Record<string, AnyCall>) {
  controllers.set(controller, calls);
  const named = new Map(Object.entries(calls).map(([name, one]) => [name.toLowerCase(), one]));

  return async ({ request, params, context }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> => {
    const one = named.get((params.call ?? '').toLowerCase());
    if (!one || Boolean(one.isPath) !== Boolean(params.id)) return refuse(404, 'There is no such call.');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (method !== one.method) {
      const allowed = one.method === 'GET' ? 'GET, HEAD' : one.method;
      return refuse(405, `This call is a ${one.method}.`, { Allow: allowed });
    }
    if (context.isCrossSite) return refuse(403, 'A page of another site may not do this.');
    const text = await readBody(request, (one.isLarge ? 512 : 64) * kibibyte);
    if (text === null) return refuse(413, 'The body is too large.');
    const isJson = /^application\/json\s*(;|$)/i.test(request.headers.get('Content-Type') ?? '');
    if (one.body && !isJson && !(one.isBodyOptional && text === '')) {
      return refuse(415, 'The body must be application/json.');
    }
    try {
      if (method !== 'GET') await context.brake();
      const done = await guarded(context, one.who, async (asked) =>
        one.run(asked, readSent(one, asked, { request, id: params.id, text }) as never),
      );
      if (one.status === 204) return new Response(null, { status: 204 });
      const { body, headers } = done instanceof Reply ? done : new Reply(done, {});
      return json(body, { status: one.status ?? 200, headers });
    } catch (error) {
      const { status, faults, isList, headers } = failureOf(error);
      const messages = faults.map(({ message }) => message);
      const isLoggedOut = one.loggedOut && error instanceof DomainError && error.code === 'unauthenticated';
      return json(isList ? messages : messages[0], { status: isLoggedOut ? 400 : status, headers });
    }
  };
}
