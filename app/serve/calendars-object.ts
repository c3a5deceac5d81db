import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectNamespace } from '@cloudflare/workers-types';
import { hour, minute } from '../domain/time/clock';
import type { readCalendars as read } from './calendars.server';

export type CalendarsEnv = Parameters<typeof read>[0] & { CALENDARS: DurableObjectNamespace<CalendarsObject> };
type CalendarsObject = InstanceType<ReturnType<typeof calendarsClass>>;

// For providers with slots that could be blocked, and for others.
const interval = { usual: 15 * minute, idle: hour };

// To read calendars takes more processor time than a request has. So each provider has a Durable Object, named by the
// provider's id. It reads right after a change, and then at intervals.
export function calendarsClass<Env extends CalendarsEnv>(
  readCalendars: typeof read,
  deliverMail: (env: Env) => Promise<void>,
) {
  return class Calendars extends DurableObject<Env> {
    private last: Promise<void> = Promise.resolve();

    /** @param providerId the object's own name, which it can't find out by itself */
    async readNow(providerId: string): Promise<void> {
      await this.ctx.storage.put('provider', providerId);
      await this.readInTurn(providerId, true);
    }

    override async alarm(): Promise<void> {
      const providerId = await this.ctx.storage.get<string>('provider');
      if (providerId) await this.readInTurn(providerId, false);
    }

    // One reading at a time, so that each one sees what the last has stored.
    private readInTurn(providerId: string, isUrgent: boolean): Promise<void> {
      const turn = this.last.then(() => this.read(providerId, isUrgent));
      this.last = turn.catch(() => undefined);
      return turn;
    }

    private async read(providerId: string, isUrgent: boolean): Promise<void> {
      const { storage } = this.ctx;
      // Set before reading, so that the alarm comes even if the object is stopped meanwhile.
      await storage.setAlarm(Date.now() + interval.usual);
      const found = await readCalendars(this.env, providerId, { clock: () => Date.now(), isUrgent });
      if (!found.hasFeeds) {
        await storage.deleteAll();
        await storage.deleteAlarm();
      } else if (!found.hasTimes) await storage.setAlarm(Date.now() + interval.idle);
      if (found.hasChanged) await deliverMail(this.env);
    }
  };
}

export const readCalendarsOf = ({ CALENDARS }: CalendarsEnv, providerId: string): Promise<void> =>
  CALENDARS.get(CALENDARS.idFromName(providerId)).readNow(providerId);
