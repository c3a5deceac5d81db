import { Refusal } from './refusal';
import type { ServerOptions } from './server';

const mailOf = ({ MAIL_URL, MAIL_KEY, MAIL_FROM, PUBLIC_URL }: NodeJS.ProcessEnv) => ({
  MAIL_URL,
  MAIL_KEY,
  MAIL_FROM,
  PUBLIC_URL,
});

/** Reads the settings of a local server from the environment. @throws Refusal where PORT is not a port */
export function settingsOf(env: NodeJS.ProcessEnv): ServerOptions {
  const port = env.PORT || '8787';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Refusal(`PORT must be a number from 0 to 65535, not "${port}".`);
  }
  return {
    port: Number(port),
    host: env.HOST || '127.0.0.1',
    dataDir: env.DATA_DIR || '.data',
    seed: env.SEED !== 'off',
    vars: {
      RATE_LIMIT: env.RATE_LIMIT,
      TIMING: env.TIMING,
      LOG: env.LOG,
      READER_ZONE: env.READER_ZONE,
      ...mailOf(env),
    },
  };
}
