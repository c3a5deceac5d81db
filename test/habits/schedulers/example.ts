import type { OpenForm } from '../against';

/* A scheduler with JSON calls, as an example to begin from: GET lists the free times, and POST books one of them. */

export async function open(page: string, time?: string): Promise<OpenForm> {
  const free = (await (await fetch(page)).json()) as { id: string }[];
  const wanted = time ?? free[0]?.id;
  if (!free.some(({ id }) => id === wanted) || wanted === undefined)
    throw new Error(`${page} does not show ${wanted}.`);
  return {
    time: wanted,
    async send(name) {
      const body = JSON.stringify({ time: wanted, name });
      const response = await fetch(page, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      if (response.status === 201) return 'booked';
      return response.status === 409 ? 'gone' : { unclear: `${response.status} ${await response.text()}` };
    },
  };
}
