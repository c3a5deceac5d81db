import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { fault, page, requiredText } from '../input/fields';
import { limits } from '../input/limits';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';
import { type HookKind, hookKinds } from './kinds';

/** A program of the provider that is told of what happens. `url` is null if the seal of its address is broken. */
export type Webhook = {
  id: string;
  url: string | null;
  kinds: HookKind[];
  madeAt: Instant;
  /** Since when it takes nothing; null while it does. */
  failingSince: Instant | null;
};

export type SendFailure = 'sealed' | 'not_public' | 'too_slow' | 'unreachable';

export const sendFailureWords: Record<SendFailure, Words> = {
  sealed: msg`Its address can no longer be read. Please give it again.`,
  not_public: msg`Its address leads to no public server.`,
  too_slow: msg`Its server took longer than 10 seconds.`,
  unreachable: msg`Its server could not be reached.`,
};

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** What a webhook was told, or is yet to be told. */
export type Delivery = {
  id: string;
  kind: HookKind | 'test';
  at: Instant;
  state: DeliveryState;
  tries: number;
  triedAt: Instant | null;
  /** The status that its server gave at the last try. */
  status: number | null;
  /** Why there is no status. */
  failure: SendFailure | null;
};

const { webhooks: most } = limits;
export const tooManyWebhooks: Words = msg`You can have at most ${plural({ most }, { one: '# webhook', other: '# webhooks' })}. End one first.`;

const address = z
  .string(fault(msg`The address must be text.`))
  .check(z.trim(), z.maxLength(limits.webhookUrl, fault(msg`That address is too long.`)));
const kinds = z
  .array(z.enum(hookKinds, fault(msg`Choose kinds from the list.`)), fault(msg`Send a list of kinds.`))
  .check(
    z.minLength(1, fault(msg`Choose at least one kind.`)),
    z.maxLength(hookKinds.length, fault(msg`Choose kinds from the list.`)),
  );

export const webhookWish = z.object({ url: address, kinds });
export type WebhookWish = z.output<typeof webhookWish>;

/** What is left out stays. */
export const webhookChange = z.object({ url: z.optional(address), kinds: z.optional(kinds) });
export type WebhookChange = z.output<typeof webhookChange>;

export const webhookId = z.object({ id: requiredText(msg`Id`) });
export const deliveriesFilter = z.object({ id: requiredText(msg`Id`), page });
