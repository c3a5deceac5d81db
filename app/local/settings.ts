import { mailSettingFaults } from '../mail/settings';
import { clientAddress, type TrustedProxy } from './client-address';
import type { Secrets } from './folder';
import { Refusal } from './refusal';
import type { ServerOptions } from './server';

function mailOf({ MAIL_URL, MAIL_KEY, MAIL_FROM, PUBLIC_URL }: NodeJS.ProcessEnv) {
  const faults = mailSettingFaults({ MAIL_URL, MAIL_FROM, PUBLIC_URL });
  if (faults.length > 0) throw new Refusal(faults.map(({ fault }) => fault).join(' '));
  return { MAIL_URL, MAIL_KEY, MAIL_FROM, PUBLIC_URL };
}

function secretsIn({ SESSION_SECRETS, PASSWORD_PEPPER }: NodeJS.ProcessEnv): Secrets | undefined {
  if (SESSION_SECRETS && PASSWORD_PEPPER) return { SESSION_SECRETS, PASSWORD_PEPPER };
  if (!SESSION_SECRETS && !PASSWORD_PEPPER) return undefined;
  throw new Refusal('Set both SESSION_SECRETS and PASSWORD_PEPPER, or neither: then DATA_DIR keeps its own.');
}

function proxyIn({ TRUST_PROXY, TRUST_PROXY_HEADER }: NodeJS.ProcessEnv): TrustedProxy | undefined {
  if (!TRUST_PROXY) return undefined;
  const trusted = { addresses: TRUST_PROXY, header: TRUST_PROXY_HEADER };
  clientAddress(trusted);
  return trusted;
}

/** Reads the server's settings. @throws Refusal if one can't be right */
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
    secrets: secretsIn(env),
    trustedProxy: proxyIn(env),
    vars: {
      RATE_LIMIT: env.RATE_LIMIT,
      MAIL_LIMITS: env.MAIL_LIMITS,
      TIMING: env.TIMING,
      LOG: env.LOG,
      READER_ZONE: env.READER_ZONE,
      ASK_LOOPBACK: env.ASK_LOOPBACK,
      ...mailOf(env),
    },
  };
}
