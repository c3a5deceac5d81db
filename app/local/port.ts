import { createServer } from 'node:net';
import { Refusal, systemCode } from './refusal';

/** Checks that we can listen at this port; 0 stands for any free one. @throws Refusal if we can't */
export async function checkPort(port: number, host: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const probe = createServer();
      probe.once('error', reject);
      probe.listen(port, host, () => probe.close(() => resolve()));
    });
  } catch (error) {
    throw portRefusal(port, host, systemCode(error) ?? 'unknown reason');
  }
}

export function portRefusal(port: number, host: string, code: string): Refusal {
  if (code === 'EADDRINUSE')
    return new Refusal(`Port ${port} on ${host} is already in use. Set PORT to another number.`);
  return new Refusal(`Cannot listen at port ${port} on ${host} (${code}). Set another HOST or PORT.`);
}
