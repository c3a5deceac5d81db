import { readCalendar } from '../../app/domain/busy/reading';
import { fetchOutside } from '../../app/serve/outside';

type Env = { OUTSIDE: { fetch: typeof fetch } };

/** Fetches another calendar as the product does, and reads it where the path says so. */
export default {
  async fetch(request: Request, { OUTSIDE }: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const outside = ((input: string, init?: RequestInit) => OUTSIDE.fetch(input, init)) as typeof fetch;
    const address = searchParams.get('at') ?? '';
    const fetched = await fetchOutside({ address }, { fetch: outside, allowsLoopback: true });
    if (fetched.kind !== 'read') return Response.json(fetched, { status: 502 });
    if (pathname === '/fetch') return Response.json(fetched.text.length);
    const reading = readCalendar(fetched.text, 'Europe/Lisbon', Number(searchParams.get('now')));
    return typeof reading === 'string' ? Response.json(reading, { status: 502 }) : Response.json(reading.events);
  },
};
