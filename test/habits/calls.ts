import { openApi } from '../support/openapi';
import type { Chance } from './chance';
import { type Actor, type Crew, plausibleTo } from './crew';
import { hostileText, percent, queryOf } from './hostile';
import { bodyOf, fitting, type Plausible, type Schema } from './json';
import { type Drawn, headersFor } from './requests';
import type { Kind } from './things';

type Parameter = { name?: string; in?: string; required?: boolean; schema?: Schema };
type Operation = {
  security?: { session?: string[] }[];
  parameters: Parameter[];
  requestBody?: { content: { 'application/json'?: { schema: Schema }; 'text/csv'?: { schema: Schema } } };
};

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'];
const types = [
  ...['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', '', 'json'],
  ...['application/json;charset=utf-16', 'application/JSON', 'application/json, text/html'],
];
const headings = ['Name', 'E-mail', 'Phone', 'Note', 'Date', 'Start', 'Minutes', '', '=1+1'];
const cells = ['Wanda', 'wanda@example.com', '3/4/2031', '2031-04-03', '09:00', '30', '"', '"a\nb"', '=1+1', ''];

/** The bytes of a table: headings that may be known, and rows of cells that may fit them. */
function tableOf(chance: Chance): Buffer {
  const row = (some: string[]) => headings.map(() => (chance.is(0.1) ? hostileText(chance) : chance.of(some)));
  const rows = Array.from({ length: chance.of([0, 1, 3, 20]) }, () => row(cells));
  const mark = chance.of([',', ';', '\t']);
  return Buffer.from([chance.is(0.7) ? headings : row(headings), ...rows].map((line) => line.join(mark)).join('\r\n'));
}

/** Calls that end their own session: seldom, or strangers send all the rest. */
const isEnding = /\/(Logout|Delete|EndSession|Register|Login|Guest|ResetPassword)$/;

/** The kind of thing that an id of this call names. */
function kindOf(path: string): Kind {
  if (/EndSession/.test(path)) return 'session';
  if (/Appointment\/Book/.test(path)) return 'open';
  if (/\/(Cancel|Move|SubmitForm|NewLink|SetNote)$/.test(path)) return 'booked';
  if (/Appointment/.test(path)) return 'slot';
  if (/People/.test(path)) return 'person';
  if (/Checkin/.test(path)) return 'template';
  if (/Party\//.test(path) && !/meetup/.test(path)) return 'party';
  return /ChangeRsvp|GetAttendee|RemoveAttendee|ReplaceLink/.test(path) ? 'invitation' : 'meetup';
}

function sentFor(chance: Chance, { name = '', schema = {} }: Parameter, plausible: Plausible): string {
  if (chance.is(0.12)) return hostileText(chance);
  const value = fitting(chance, schema, plausible, name);
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '');
  return text.startsWith('Words') ? String(plausible(name) ?? '') : text;
}

/** Mostly somebody who may make this call. */
function callerOf(chance: Chance, { actors }: Crew, { security = [] }: Operation): Actor {
  const [needed] = security;
  if (!needed || chance.is(0.25)) return chance.of(actors);
  const [role] = needed.session ?? [];
  const mayNot = { Provider: ['consumer', 'guest'], Consumer: ['provider'] }[role ?? ''] ?? [];
  return chance.of(actors.filter((one) => ![...mayNot, 'stranger', 'rival'].includes(one.role)));
}

/** A call of the API, drawn from the OpenAPI document: often right, often wrong in one thing. */
export function drawCall(chance: Chance, crew: Crew): Drawn {
  const operations = Object.entries(openApi().paths).flatMap(([path, all]) =>
    Object.entries(all).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
  );
  let drawn = chance.of(operations);
  if (isEnding.test(drawn.path) && chance.is(0.7)) drawn = chance.of(operations);
  const { path, operation } = drawn;
  const usual = drawn.method.toUpperCase();
  const actor = callerOf(chance, crew, operation);
  const said = plausibleTo(crew, chance);
  const plausible: Plausible = (name) => (name === 'id' ? crew.things.any(chance, kindOf(path)) : said(name));

  const own = operation.parameters.filter(({ name }) => name !== undefined);
  const [inPath, inQuery] = [own.filter((one) => one.in === 'path'), own.filter((one) => one.in !== 'path')];
  let pathname = path;
  for (const one of inPath)
    pathname = pathname.replace(`{${one.name}}`, percent(sentFor(chance, one, plausible)) || 'x');
  const chosen = inQuery.filter(({ required }) => (required ? !chance.is(0.04) : chance.is(0.5)));
  const pairs = chosen.map((one) => [one.name ?? '', sentFor(chance, one, plausible)] as const);
  if (pairs[0] && chance.is(0.03)) pairs.push([pairs[0][0], hostileText(chance)]);
  if (chance.is(0.02)) pairs.push([hostileText(chance).slice(0, 200), hostileText(chance)]);
  const address = (chance.is(0.02) ? pathname.toLowerCase() : pathname) + queryOf(chance, pairs);

  const headers = headersFor(chance, actor, address);
  const content = operation.requestBody?.content;
  const schema = content?.['application/json']?.schema;
  const hasBody = content ? !chance.is(0.05) : usual !== 'GET' && chance.is(0.03);
  const method = chance.is(0.03) ? chance.of(methods) : usual;
  if (!hasBody || method === 'GET' || method === 'HEAD') return { actor, method, path: address, headers };
  const ownType = content?.['text/csv'] ? 'text/csv' : 'application/json';
  const type = chance.is(0.04) ? chance.of(types) : ownType;
  return {
    actor,
    method,
    path: address,
    headers: type ? { 'content-type': type, ...headers } : headers,
    body: ownType === 'text/csv' ? tableOf(chance) : bodyOf(chance, schema ?? {}, plausible),
  };
}
