import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Schema } from '../../habits/json';
import { complaints } from '../../support/complaints';
import { password } from '../../support/factories';
import { contradictions, openApi } from '../../support/openapi';
import { createParty, partyDraft } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

const daybook = useServer();
const { host } = useWorld(daybook, { host: {} });

describe('the OpenAPI document', () => {
  test('is one by the rules of OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(openApi())).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  const { paths } = openApi();

  test.each([
    ['a provider alone', 'get', '/api/Party/GetMy', [{ session: ['Provider'] }, { key: ['read', 'Provider'] }]],
    ['whoever is logged in', 'get', '/api/Party/GetAll', [{ session: [] }, { key: ['read'] }]],
    ['whoever is logged in, but no program,', 'get', '/api/Account/Keys', [{ session: [] }]],
    ['anybody', 'post', '/api/Account/Login', []],
  ])('says that %s may %s %s', (_, method, path, security) => {
    expect(paths[path]?.[method]).toHaveProperty('security', security);
  });

  test('says that a reading takes a bookmark', () => {
    expect(paths['/api/Party/GetMy']?.get?.parameters).toEqual([{ $ref: '#/components/parameters/Bookmark' }]);
  });

  test('says where a key makes a call safe to repeat', () => {
    const isKeyed = ({ parameters }: (typeof paths)[string][string]) =>
      parameters.some(({ $ref }) => $ref === '#/components/parameters/Key');
    const keyed = Object.keys(paths).filter((path) => Object.values(paths[path] ?? {}).some(isKeyed));

    const booking = ['Appointment/BookFor', 'Appointment/BookSeries', 'Appointment/CreateAppointment'];
    const making = ['Checkin/CreateTemplate', 'Party/CreateParty', 'People/Create', 'Service/Create'];
    const ofShops = ['Shop/Invite', 'Shop/Join', 'Shop/Open'];
    const gathering = ['meetup/AddAttendees', 'meetup/CreateMeetup'];
    expect(keyed.sort()).toEqual([...booking, ...making, ...ofShops, ...gathering].map((call) => `/api/${call}`));
  });
});

describe('a response', () => {
  let response: ApiResponse;
  let row: Record<string, unknown>;
  beforeAll(async () => {
    await createParty(host);
    response = await host.api('GET', '/api/Party/GetMy');
    row = (response.json as [typeof row])[0];
  });
  const contradictionsOf = (json: unknown, status = 200) =>
    contradictions('GET', '/api/Party/GetMy', { ...response, status, json });

  test('of ours is as the document says', () => {
    expect(contradictionsOf([row])).toEqual([]);
  });

  test.each<[how: string, change: object]>([
    ['with a field too many', { providerId: 'x' }],
    ['with nothing where there is something', { title: null }],
    ['with a date in other words', { date: '2026-12-02' }],
    ['with a field too few', { title: undefined }],
  ])('%s contradicts the document', (_, change) => {
    expect(contradictionsOf(JSON.parse(JSON.stringify([{ ...row, ...change }])))).toHaveLength(1);
  });

  test('with a status that the call has not contradicts the document', () => {
    expect(contradictionsOf('Not found.', 404)).toHaveLength(1);
  });

  test('of another kind contradicts the document', () => {
    expect(contradictions('GET', '/api/Appointment/GetPage', { ...response, json: [] })).toHaveLength(1);
  });
});

/** The limits of one property of a call's body, as the document says them. */
function limitsOf(path: string, name: string): { maxLength?: number; minimum?: number; maximum?: number } {
  const body: Schema = openApi().paths[path]?.post?.requestBody?.content['application/json']?.schema ?? {};
  const property = body.properties?.[name];
  return property?.anyOf?.[0] ?? property ?? {};
}

describe('a limit of the document is the one that is kept:', () => {
  const create = (name: string, value: string | number) =>
    host.api('POST', '/api/Party/CreateParty', partyDraft({ [name]: value }));

  const texts = ['title', 'description', 'address', 'locationUrl'];
  const longestOf = (name: string) => {
    const { maxLength = 0 } = limitsOf('/api/Party/CreateParty', name);
    return [...`https://e.example/${'𝒯'.repeat(maxLength)}`].slice(0, maxLength).join('');
  };

  test.each(texts)('%s of a party, as long as it may be', async (name) => {
    expect((await create(name, longestOf(name))).status).toBe(201);
  });

  test.each(texts)('%s of a party, longer', async (name) => {
    expect(complaints(await create(name, `${longestOf(name)}x`))).toHaveLength(1);
  });

  const numbers = ['capacity', 'plusOnes'];
  const rangeOf = (name: string) => {
    const { minimum = Number.NaN, maximum = Number.NaN } = limitsOf('/api/Party/CreateParty', name);
    return { minimum, maximum };
  };

  test.each(numbers)('%s of a party, at its ends', async (name) => {
    const { minimum, maximum } = rangeOf(name);

    expect((await create(name, minimum)).status).toBe(201);
    expect((await create(name, maximum)).status).toBe(201);
  });

  test.each(numbers)('%s of a party, beyond them', async (name) => {
    const { minimum, maximum } = rangeOf(name);

    expect(complaints(await create(name, minimum - 1))).toHaveLength(1);
    expect(complaints(await create(name, maximum + 1))).toHaveLength(1);
  });

  let names = 0;
  const register = (details: object) => {
    const person = { username: `limit-${++names}`, displayName: 'L', password, role: 'Provider', location: 'Lisbon' };
    return daybook.visitor().api('POST', '/api/Account/Register', { ...person, ...details });
  };
  const ofAccounts = ['username', 'displayName', 'password', 'location', 'description'];
  const textOf = (name: string, more = 0) => {
    const { maxLength = 0 } = limitsOf('/api/Account/Register', name);
    return 'Ab1'.padEnd(maxLength + more, 'x');
  };

  test.each(ofAccounts)('%s of an account, as long as it may be', async (name) => {
    expect((await register({ [name]: textOf(name) })).status).toBe(201);
  });

  test.each(ofAccounts)('%s of an account, longer', async (name) => {
    expect(complaints(await register({ [name]: textOf(name, 1) }))).toHaveLength(1);
  });
});
