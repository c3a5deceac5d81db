import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { root } from '../../app/local/root';

/* Holds responses against the OpenAPI document. */

type Schema = Record<string, unknown>;
type Response = { headers?: Record<string, unknown>; content?: { 'application/json': { schema: Schema } } };
type Operation = {
  parameters: { name?: string; $ref?: string; schema?: Schema }[];
  requestBody?: {
    required?: boolean;
    content: { 'application/json'?: { schema: Schema }; 'text/csv'?: { schema: Schema } };
  };
  responses: Record<string, Response>;
};
type OpenApi = { paths: Record<string, Record<string, Operation>>; components: Schema };
type Received = { status: number; headers: Headers; text: string; json: unknown };

let read: OpenApi | undefined;
/** The document that the built product serves. */
export function openApi(): OpenApi {
  read ??= JSON.parse(readFileSync(join(root, 'build/client/api/openapi.json'), 'utf8')) as OpenApi;
  return read;
}

/** Every call that the document names, such as `GET /api/Party/GetMy`. */
export const documentedCalls = () =>
  Object.entries(openApi().paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );

let patterns: [RegExp, Record<string, Operation>][] | undefined;
/** The operation of an address, in any letter case. */
function operationAt(method: string, pathname: string): Operation | undefined {
  patterns ??= Object.entries(openApi().paths).map(([path, operations]) => [
    new RegExp(`^${path.replace('{id}', '[^/]+')}$`, 'i'),
    operations,
  ]);
  return patterns.find(([pattern]) => pattern.test(pathname))?.[1][method.toLowerCase()];
}

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
addFormats(ajv);
ajv.addVocabulary(['components']);

const validators = new Map<Schema, ValidateFunction>();
function validatorOf(schema: Schema): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components: openApi().components });
  validators.set(schema, validate);
  return validate;
}

/** The points in which a response contradicts the document; none for anything but a call of the API. */
export function contradictions(method: string, pathname: string, received: Received): string[] {
  const operation = operationAt(method, pathname);
  if (!operation) return [];
  const response = operation.responses[received.status];
  if (!response) return [`${received.status} is not among its statuses`];
  const headers = ['X-Has-More', 'Retry-After'].filter(
    (name) => received.headers.has(name) !== name in (response.headers ?? {}),
  );
  const wrong = headers.map((name) => `${name} is there without a word of it, or the other way round`);
  if (!response.content) return received.text === '' ? wrong : [...wrong, 'there is a body'];
  const validate = validatorOf(response.content['application/json'].schema);
  if (validate(received.json)) return wrong;
  return [...wrong, ...(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)];
}
