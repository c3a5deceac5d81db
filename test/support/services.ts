import type * as z from 'zod/mini';
import type { ownServiceJson } from '../../app/routes/api/shapes';
import type { Person } from './factories';

/** A service as the API gives it. */
export type Service = z.output<typeof ownServiceJson>;

let made = 0;
/** The input of Create: half an hour for one person, under a new name. */
export const serviceDraft = (details: object = {}) => {
  made += 1;
  return { name: `Service ${made}`, minutes: 30, ...details };
};

/** Creates a service of this provider. */
export async function createService(provider: Person, details: object = {}): Promise<Service> {
  const response = await provider.api('POST', '/api/Service/Create', serviceDraft(details));
  if (response.status !== 201) throw new Error(`No service was created: ${response.status} ${response.text}`);
  return response.json as Service;
}

export const servicesOf = async (who: Person) => (await who.api('GET', '/api/Service/GetMy')).json as Service[];
