import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectNamespace, ExecutionContext } from '@cloudflare/workers-types';
import type { deliverMail as deliver, remindPeople as remind } from '../deliver.server';
import type { Transport } from '../domain/messages/mail';
import type { Instant } from '../domain/time/clock';
import { compose } from './compose';
import { type MailSettings, senderOf, transportOf } from './transport';

export type OutboxEnv = MailSettings &
  Parameters<typeof deliver>[0] & {
    /** Where links in mails lead, such as `https://daybook.example`. Without it they lead where the last write came from. */
    PUBLIC_URL?: string;
    /** Of the local server only: its own names. It is asked by any; the edge asks by those of the operator alone. */
    OWN_HOSTS?: string;
    /** Of the local server only: keeps each mail as a file, and shows what it has kept. */
    MAILBOX?: { fetch: typeof fetch };
    OUTBOX: DurableObjectNamespace<OutboxObject>;
  };

type OutboxObject = InstanceType<ReturnType<typeof outboxClass>>;

/** Mail into the folder of the local server. */
function mailboxTransport(
  mailbox: { fetch: typeof fetch },
  MAIL_FROM = 'Daybook <daybook@daybook.invalid>',
): Transport {
  const from = senderOf(MAIL_FROM) ?? { name: 'Daybook', address: 'daybook@daybook.invalid' };
  return async (mail) => {
    const { ok, status } = await mailbox.fetch('http://mailbox/', {
      method: 'POST',
      body: new Uint8Array(await compose(mail, from)),
    });
    return ok ? { isSent: true } : { isSent: false, isFinal: false, reason: `mailbox ${status}` };
  };
}

/** The way that mail leaves by; undefined where none is set up. */
export const wayOut = (env: OutboxEnv): Transport | undefined =>
  transportOf(env) ?? (env.MAILBOX && !env.MAIL_URL ? mailboxTransport(env.MAILBOX, env.MAIL_FROM) : undefined);

const soon = 1000;

/** For how long nobody asks a mail server that can't be reached, in milliseconds: 15 s, then twice as long, 5 minutes at most. */
const pauseAfter = (failures: number) => Math.min(5 * 60_000, 15_000 * 2 ** (failures - 1));

/** How often in a row the mail server could not be reached, and until when nobody asks it, or says that there is mail. */
type Pause = { failures: number; until: Instant };

/**
 * Writes the reminders and sends the mail that is due. There is one of it, so that a message is taken by nobody else meanwhile; its alarm comes
 * when the next of either is due, and again where the object was stopped in between.
 */
export function outboxClass<Env extends OutboxEnv>(deliverMail: typeof deliver, remindPeople: typeof remind) {
  return class Outbox extends DurableObject<Env> {
    /** The hourly job has asked: a pause does not count. */
    private isUrgent = false;

    /**
     * There may be mail to send. A write waits with it while the mail server can't be reached, the hourly job does not.
     * @param origin of the product, as the write that made it came by
     * @param isOwn false where the sender may have made that name up: it replaces none, or mails would lead elsewhere
     * @returns until when nobody need say so again: an alarm comes then
     */
    async wake(origin?: string, isOwn = true): Promise<Instant> {
      const { storage } = this.ctx;
      const known = await storage.get('origin');
      if (origin && origin !== known && (isOwn || known === undefined)) await storage.put('origin', origin);
      const { failures, until } = await this.pause();
      if (origin && failures > 0 && until > Date.now()) return until;
      if (!origin) this.isUrgent = true;
      const alarm = await storage.getAlarm();
      if (alarm === null || alarm > Date.now() + soon) await storage.setAlarm(Date.now());
      return 0;
    }

    override async alarm(): Promise<void> {
      const isUrgent = this.isUrgent;
      this.isUrgent = false;
      const due = [await this.remind(), await this.deliver(isUrgent)].filter((at) => at !== null);
      // The job has asked meanwhile.
      if (this.isUrgent) await this.ctx.storage.setAlarm(Date.now());
      else if (due.length > 0) await this.ctx.storage.setAlarm(Math.max(Math.min(...due), Date.now() + soon));
    }

    /** A write may bring the next reminder forward, but looking for all that are due reads half a day's bookings. */
    private async remind(): Promise<number | null> {
      const { storage } = this.ctx;
      const now = Date.now();
      const isTime = now >= ((await storage.get<number>('remindAt')) ?? 0);
      const next = await remindPeople(this.env, { isTime, now });
      if (next === null) await storage.delete('remindAt');
      else await storage.put('remindAt', next);
      return next;
    }

    private async deliver(isUrgent: boolean): Promise<number | null> {
      const transport = wayOut(this.env);
      const origin = this.env.PUBLIC_URL ?? (await this.ctx.storage.get<string>('origin'));
      if (!transport || !origin) return null;
      const { failures, until } = await this.pause();
      const isQuiet = until > Date.now();
      if (isQuiet && failures > 0 && !isUrgent) return until;
      const next = await deliverMail(this.env, { transport, origin, clock: () => Date.now() });
      if (next === 'unreachable') {
        const again = { failures: failures + 1, until: Math.max(until, Date.now() + pauseAfter(failures + 1)) };
        await this.ctx.storage.put<Pause>('pause', again);
        return again.until;
      }
      if (!isQuiet) {
        if (until > 0) await this.ctx.storage.delete('pause');
        return next;
      }
      // Until then some isolates write and do not say so.
      await this.ctx.storage.put<Pause>('pause', { failures: 0, until });
      return Math.min(until, next ?? until);
    }

    private async pause(): Promise<Pause> {
      return (await this.ctx.storage.get<Pause>('pause')) ?? { failures: 0, until: 0 };
    }
  };
}

/** Until when the outbox wants to hear of no write, as far as this isolate knows. */
let quietUntil: Instant = 0;

/** False for a name of this server that whoever asks may have made up, or that a proxy before it has. */
export const isOwnName = ({ OWN_HOSTS }: OutboxEnv, { hostname }: URL): boolean =>
  !OWN_HOSTS || OWN_HOSTS.split(' ').includes(hostname);

/** Wakes the outbox, if mail is set up. @param address of the product, as a request came by; none for the hourly job */
export async function wakeOutbox(env: OutboxEnv, address?: URL): Promise<void> {
  if (!wayOut(env) || (address && Date.now() < quietUntil)) return;
  const isOwn = !address || isOwnName(env, address);
  quietUntil = await env.OUTBOX.get(env.OUTBOX.idFromName('outbox')).wake(address?.origin, isOwn);
}

/** Lets the mail of a write that has succeeded leave, after its answer. */
export function sendAfter(request: Request, response: Response, env: OutboxEnv, after: ExecutionContext): void {
  const isWritten = request.method !== 'GET' && request.method !== 'HEAD' && response.status < 400;
  if (isWritten) after.waitUntil(wakeOutbox(env, new URL(request.url)));
}
