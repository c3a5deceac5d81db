import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectNamespace, ExecutionContext } from '@cloudflare/workers-types';
import { eachAlone, type Transport } from '../domain/messages/mail';
import type { Instant } from '../domain/time/clock';
import type { deliverMail as deliver, remindPeople as remind } from '../serve/mails.server';
import { compose } from './compose';
import { publicOrigin, senderOf } from './settings';
import { type MailSettings, transportOf } from './transport';

export type OutboxEnv = MailSettings &
  Parameters<typeof deliver>[0] & {
    /** The origin of links in mails. Without it, the outbox takes the origin of the last write at the edge. */
    PUBLIC_URL?: string;
    /** On a local server: returns its address, because a request could name any address. */
    OWN_ADDRESS?: { fetch: typeof fetch };
    /** On a local server: keeps each mail as a file, if it comes with the key. */
    MAILBOX?: { fetch: typeof fetch };
    MAILBOX_KEY?: string;
    OUTBOX: DurableObjectNamespace<OutboxObject>;
  };

type OutboxObject = InstanceType<ReturnType<typeof outboxClass>>;

function mailboxTransport(
  mailbox: { fetch: typeof fetch },
  { MAIL_FROM = 'Daybook <daybook@daybook.invalid>', MAILBOX_KEY = '' }: OutboxEnv,
): Transport {
  const from = senderOf(MAIL_FROM) ?? { name: 'Daybook', address: 'daybook@daybook.invalid' };
  return eachAlone(async (mail) => {
    const { ok, status } = await mailbox.fetch('http://mailbox/', {
      method: 'POST',
      headers: { Authorization: MAILBOX_KEY },
      body: compose(mail, from),
    });
    return ok ? { isSent: true } : { isSent: false, isFinal: false, reason: `mailbox ${status}` };
  });
}

const transportFor = (env: OutboxEnv): Transport | undefined =>
  transportOf(env) ?? (env.MAILBOX && !env.MAIL_URL ? mailboxTransport(env.MAILBOX, env) : undefined);

// Remembered, because each request asks for this, and parsing an address takes a while.
const hasMailBySettings = new WeakMap<OutboxEnv, boolean>();
export function hasMailService(env: OutboxEnv): boolean {
  const remembered = hasMailBySettings.get(env);
  if (remembered !== undefined) return remembered;
  const hasTransport = transportFor(env) !== undefined;
  hasMailBySettings.set(env, hasTransport);
  return hasTransport;
}

const soon = 1000;
// In milliseconds. Mail waits a moment for that of other writes, which then don't have to wake the outbox.
const waitForMore = 250;

// The longest time between two searches for reminders, in milliseconds.
const lookAgainAfter = 15 * 60_000;

// After the first failure to reach the mail server 15 s, then twice as long each time, up to 5 minutes.
const pauseOfServer = (failures: number) => Math.min(5 * 60_000, 15_000 * 2 ** (failures - 1));

/** How often in a row we failed to reach the mail server, and until when we don't try. */
type Pause = { failures: number; until: Instant };

// A single object writes the reminders and sends the mail, so two never send the same message at once; after a crash one may
// be sent again. Its alarm comes when the next one is due, even if the object was stopped meanwhile.
export function outboxClass<Env extends OutboxEnv>(
  deliverMail: typeof deliver,
  remindPeople: typeof remind,
  wakePrograms: (env: Env) => Promise<void>,
) {
  return class Outbox extends DurableObject<Env> {
    private isUrgent = false;

    /**
     * Wakes the outbox, because there may be mail, or something to tell programs. If the mail server can't be reached,
     * only the hourly job tries again at once.
     * @param origin of the product, as the write's request named it; none for the hourly job
     * @returns for how many milliseconds nobody need wake it again
     */
    async wake(origin?: string): Promise<number> {
      const { storage } = this.ctx;
      if (origin && origin !== (await storage.get('origin'))) await storage.put('origin', origin);
      const now = Date.now();
      if (!origin) this.isUrgent = true;
      const alarm = await this.setAlarmBy(origin ? now + waitForMore : now);
      return Math.max(0, alarm - now);
    }

    /** Sets the alarm to this time, unless it is set to an earlier one. @returns when the alarm comes */
    private async setAlarmBy(latest: Instant): Promise<Instant> {
      const { storage } = this.ctx;
      // While an alarm runs, storage says that none is set; one that is set now comes after it.
      const alarm = await storage.getAlarm();
      if (alarm !== null && alarm <= latest) return alarm;
      await storage.setAlarm(latest);
      return latest;
    }

    override async alarm(): Promise<void> {
      const isUrgent = this.isUrgent;
      this.isUrgent = false;
      // Webhooks are woken while the mail is sent, not after it.
      const [nextTimes] = await Promise.all([this.deliverInTurn(isUrgent), wakePrograms(this.env)]);
      // The hourly job woke the outbox meanwhile.
      if (this.isUrgent) await this.setAlarmBy(Date.now());
      // If a write came meanwhile, it has set its own alarm.
      else if (nextTimes.length > 0) await this.setAlarmBy(Math.max(Math.min(...nextTimes), Date.now() + soon));
    }

    /** @returns when to remind people, and to send mail, again */
    private async deliverInTurn(isUrgent: boolean): Promise<Instant[]> {
      return [await this.remind(), await this.deliver(isUrgent)].filter((at) => at !== null);
    }

    /**
     * Writes reminders, at most every quarter of an hour, because that reads the next bookings of all providers. So the
     * reminder of a new booking may be a quarter of an hour late.
     */
    private async remind(): Promise<Instant | null> {
      const { storage } = this.ctx;
      const now = Date.now();
      const nextReminder = await storage.get<Instant>('remindAt');
      if (nextReminder !== undefined && now < nextReminder) return nextReminder;
      const next = await remindPeople(this.env, now);
      if (next === null) {
        await storage.delete('remindAt');
        return null;
      }
      const at = Math.min(next, now + lookAgainAfter);
      await storage.put('remindAt', at);
      return at;
    }

    private async deliver(isUrgent: boolean): Promise<number | null> {
      const transport = transportFor(this.env);
      const origin = await this.origin();
      if (!transport || !origin) return null;
      const { failures, until } = await this.pause();
      if (until > Date.now() && !isUrgent) return until;
      const next = await deliverMail(this.env, { transport, origin, clock: () => Date.now() });
      if (next === 'unreachable') {
        const again = { failures: failures + 1, until: Math.max(until, Date.now() + pauseOfServer(failures + 1)) };
        await this.ctx.storage.put<Pause>('pause', again);
        return again.until;
      }
      if (until > 0) await this.ctx.storage.delete('pause');
      return next;
    }

    /** The product's origin. A request's origin counts only if nothing else names one. */
    private async origin(): Promise<string | undefined> {
      const { PUBLIC_URL, OWN_ADDRESS } = this.env;
      const configured = publicOrigin(PUBLIC_URL);
      if (configured) return configured;
      if (OWN_ADDRESS) return (await OWN_ADDRESS.fetch('http://own-address/')).text();
      return this.ctx.storage.get<string>('origin');
    }

    private async pause(): Promise<Pause> {
      return (await this.ctx.storage.get<Pause>('pause')) ?? { failures: 0, until: 0 };
    }
  };
}

// Until this time, this isolate need not wake the outbox.
let quietUntil: Instant = 0;

/** Wakes the outbox after a write. @param address of the product, as a request named it; none for the hourly job */
export async function wakeOutbox(env: OutboxEnv, address?: URL): Promise<void> {
  // Counted from here: the outbox counts from the arrival of the call, so its alarm comes no earlier.
  const calledAt = Date.now();
  quietUntil = calledAt + (await env.OUTBOX.get(env.OUTBOX.idFromName('outbox')).wake(address?.origin));
}

export function sendAfter(request: Request, response: Response, env: OutboxEnv, after: ExecutionContext): void {
  const isWritten = request.method !== 'GET' && request.method !== 'HEAD' && response.status < 400;
  if (isWritten && Date.now() >= quietUntil) after.waitUntil(wakeOutbox(env, new URL(request.url)));
}
