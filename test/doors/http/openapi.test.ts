import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../../habits/json';
import { complaints } from '../../support/complaints';
import { password } from '../../support/factories';
import { contradictions, openApi } from '../../support/openapi';
import { createParty, partyDraft } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { host } = useWorld(daybook, { host: {} });

describe('the OpenAPI document', () => {
  test('is one by the rules of OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(openApi())).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('says who may call, and where a key makes a call safe to repeat', () => {
    const { paths } = openApi();
    expect(paths['/api/Party/GetMy']?.get).toMatchObject({
      security: [{ session: ['Provider'] }],
      parameters: [{ $ref: '#/components/parameters/Bookmark' }],
    });
    expect(paths['/api/Party/GetAll']?.get).toMatchObject({ security: [{ session: [] }] });
    expect(paths['/api/Account/Login']?.post).toMatchObject({ security: [] });
    const isKeyed = ({ parameters }: (typeof paths)[string][string]) =>
      parameters.some(({ $ref }) => $ref === '#/components/parameters/Key');
    const keyed = Object.keys(paths).filter((path) => Object.values(paths[path] ?? {}).some(isKeyed));
    const booking = ['Appointment/BookFor', 'Appointment/BookSeries', 'Appointment/CreateAppointment'];
    const making = ['Checkin/CreateTemplate', 'Party/CreateParty', 'People/Create', 'Service/Create'];
    const all = [...booking, ...making, 'meetup/AddAttendees', 'meetup/CreateMeetup'];
    expect(keyed.sort()).toEqual(all.map((call) => `/api/${call}`));
  });

  test('is contradicted by an answer with a field too many, too few, or of another kind', async () => {
    await createParty(host);
    const answer = await host.api('GET', '/api/Party/GetMy');
    const [row] = answer.json as Record<string, unknown>[];
    const { title: _, ...untitled } = row ?? {};
    const told = (json: unknown, status = 200) =>
      contradictions('GET', '/api/Party/GetMy', { ...answer, status, json });
    expect(told([row])).toEqual([]);
    const rows = [{ ...row, providerId: 'x' }, { ...row, title: null }, { ...row, date: '2026-12-02' }, untitled];
    for (const wrong of rows) expect(told([wrong])).toHaveLength(1);
    expect(told('Not found.', 404)).toHaveLength(1);
    expect(contradictions('GET', '/api/Appointment/GetPage', { ...answer, json: [] })).toHaveLength(1);
  });
});

/** The limits of one property of a call's body, as the document says them. */
function limitsOf(path: string, name: string): { maxLength?: number; minimum?: number; maximum?: number } {
  const body: Schema = openApi().paths[path]?.post?.requestBody?.content['application/json']?.schema ?? {};
  const said = body.properties?.[name];
  return said?.anyOf?.[0] ?? said ?? {};
}

describe('a limit of the document is the one that is kept:', () => {
  const create = (name: string, value: string | number) =>
    host.api('POST', '/api/Party/CreateParty', partyDraft({ [name]: value }));

  test.each(['title', 'description', 'address', 'locationUrl', 'capacity', 'plusOnes'])(
    '%s of a party',
    async (name) => {
      const { maxLength = 0, minimum = 1, maximum } = limitsOf('/api/Party/CreateParty', name);
      const full = [...`https://e.example/${'𝒯'.repeat(maxLength)}`].slice(0, maxLength).join('');
      for (const most of maximum ? [minimum, maximum] : [full]) expect((await create(name, most)).status).toBe(201);
      for (const beyond of maximum ? [minimum - 1, maximum + 1] : [`${full}x`])
        expect(complaints(await create(name, beyond))).toHaveLength(1);
    },
  );

  let names = 0;
  test.each(['username', 'displayName', 'password', 'location', 'description'])('%s of an account', async (name) => {
    const { maxLength = 0 } = limitsOf('/api/Account/Register', name);
    const register = (text: string) => {
      const person = { username: `limit-${++names}`, displayName: 'L', password, role: 'Provider', location: 'Lisbon' };
      return daybook.visitor().api('POST', '/api/Account/Register', { ...person, [name]: text });
    };
    expect((await register('Ab1'.padEnd(maxLength, 'x'))).status).toBe(201);
    expect(complaints(await register('Ab1'.padEnd(maxLength + 1, 'x')))).toHaveLength(1);
  });
});
