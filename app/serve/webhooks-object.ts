import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectNamespace } from '@cloudflare/workers-types';
import { type Instant, minute } from '../domain/time/clock';
import type { deliverWebhooks as deliver, deliverWebhookNow as deliverNow } from './webhooks.server';

export type WebhooksEnv = Parameters<typeof deliver>[0] & { WEBHOOKS: DurableObjectNamespace<WebhooksObject> };
type WebhooksObject = InstanceType<ReturnType<typeof webhooksClass>>;

// In milliseconds. So long a delivery that is sent at once is left alone by the alarm, and a little.
const lease = 16_000;
const soon = 1000;

// Each provider with webhooks has an object, named by the provider's id, so a slow server of one keeps nobody else's
// waiting. Only it sends, so what is told of one booking arrives in order.
export function webhooksClass<Env extends WebhooksEnv>(
  deliverWebhooks: typeof deliver,
  deliverWebhookNow: typeof deliverNow,
  deliverMail: (env: Env) => Promise<void>,
) {
  return class Webhooks extends DurableObject<Env> {
    private isWoken = false;

    /** @param providerId the object's own name, which it can't find out by itself */
    async wake(providerId: string): Promise<void> {
      this.isWoken = true;
      await this.ctx.storage.put('provider', providerId);
      await this.ctx.storage.setAlarm(Date.now());
    }

    /** Sends one delivery, and ends when its server has answered. */
    async sendNow(providerId: string, id: string): Promise<void> {
      const { storage } = this.ctx;
      this.isWoken = true;
      await storage.put('provider', providerId);
      // If the object is stopped meanwhile, the alarm sends it.
      const [alarm, latest] = [await storage.getAlarm(), Date.now() + lease];
      if (alarm === null || alarm > latest) await storage.setAlarm(latest);
      await deliverWebhookNow(this.env, providerId, id, () => Date.now());
      // What waited behind it.
      await storage.setAlarm(Date.now() + soon);
    }

    override async alarm(): Promise<void> {
      const { storage } = this.ctx;
      const providerId = await storage.get<string>('provider');
      if (!providerId) return;
      this.isWoken = false;
      // Set before sending, so that the alarm comes even if the object is stopped meanwhile.
      await storage.setAlarm(Date.now() + minute);
      const { next, hasRefused } = await deliverWebhooks(this.env, providerId, () => Date.now());
      await this.setNextAlarm(next);
      if (hasRefused) await deliverMail(this.env);
    }

    private async setNextAlarm(next: Instant | null): Promise<void> {
      const { storage } = this.ctx;
      if (this.isWoken) await storage.setAlarm(Date.now());
      else if (next !== null) await storage.setAlarm(Math.max(next, Date.now() + soon));
      else {
        await storage.deleteAlarm();
        await storage.deleteAll();
      }
    }
  };
}

const objectOf = ({ WEBHOOKS }: WebhooksEnv, providerId: string) => WEBHOOKS.get(WEBHOOKS.idFromName(providerId));

export const sendWebhookNow = (env: WebhooksEnv, providerId: string, id: string): Promise<void> =>
  objectOf(env, providerId).sendNow(providerId, id);

/** Wakes the senders of those providers whose webhooks have something new. */
export async function wakeWebhooks(
  env: WebhooksEnv,
  providersToDeliver: (env: WebhooksEnv) => Promise<string[]>,
): Promise<void> {
  const providerIds = await providersToDeliver(env);
  await Promise.all(providerIds.map((providerId) => objectOf(env, providerId).wake(providerId)));
}
