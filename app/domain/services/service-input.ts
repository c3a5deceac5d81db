import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import {
  fault,
  line,
  listRule,
  mustBeText,
  paragraph,
  requiredText,
  seenName,
  templateId,
  wholeNumber,
  yesOrNo,
} from '../input/fields';
import { limits } from '../input/limits';
import { isWebAddress } from '../input/outside-address';
import type { Words } from '../words/words';
import { type Where, wheres } from './where';

// Kept apart from services.ts, so that the browser need not load it.

const limit = limits.service;

const { min: least, max: most } = limits.minutes;
const minutesWords = msg`Minutes must be a whole number from ${least} to ${most}.`;
const minutes = z
  .pipe(
    wholeNumber(minutesWords, limits.minutes.min, limits.minutes.max),
    z.transform((value, context): number => {
      if (value === null)
        context.issues.push({ code: 'custom', input: value, message: fault(msg`Minutes are missing.`) });
      return value ?? 0;
    }),
  )
  .register(z.globalRegistry, { type: 'integer', minimum: limits.minutes.min, maximum: limits.minutes.max });

const numberOr = (words: Words, [min, max]: [number, number], usual: number) =>
  z.pipe(
    wholeNumber(words, min, max),
    z.transform((value) => value ?? usual),
  );

const moneyText = (name: Words, max: number) =>
  z
    .pipe(
      z.pipe(
        z.pipe(
          z.optional(z.nullable(z.string(mustBeText(name)))),
          z.transform((text) => text ?? ''),
        ),
        line(name, max, 0),
      ),
      z.transform((text): string | null => text || null),
    )
    .register(z.globalRegistry, { type: ['string', 'null'], maxLength: max });

const oneOfWheres = fault(msg`Where it takes place is one of ${{ choices: wheres.join(', ') }}.`);
const where = z
  .pipe(
    z.optional(z.nullable(z.enum(wheres, oneOfWheres))),
    z.transform((choice): Where => choice ?? 'here'),
  )
  .register(z.globalRegistry, { enum: [...wheres] });

export const noLinkWords = msg`A video call needs its link.`;
const linkWords = fault(msg`The link must begin with https:// and have no name before an @.`);
const link = z
  .pipe(
    paragraph(msg`The link`, limit.link),
    z.transform((url, context): string | null => {
      const isLink = url === null || (/^https:/i.test(url) && isWebAddress(url) && !/\s/.test(url));
      if (!isLink) context.issues.push({ code: 'custom', input: url, message: linkWords });
      return url?.replace(/^https/i, 'https') ?? null;
    }),
  )
  .register(z.globalRegistry, {
    type: ['string', 'null'],
    maxLength: limit.link,
    description: 'Of a video call: an https address, which only they see who have booked.',
  });

const serviceFields = z.object({
  name: seenName(msg`Name`, limit.name),
  minutes,
  gap: numberOr(msg`Minutes kept free must be a whole number from 0 to ${{ most: limit.gap }}.`, [0, limit.gap], 0),
  price: moneyText(msg`Price`, limit.price),
  deposit: moneyText(msg`Deposit`, limit.deposit),
  description: paragraph(msg`Description`, limit.description),
  seats: numberOr(msg`Places must be a whole number from 1 to ${{ most: limit.seats }}.`, [1, limit.seats], 1),
  templateId,
  isOffered: yesOrNo(msg`Being offered`, true),
  where,
  link,
});

export const serviceInput = serviceFields.check(
  z.refine(({ where, link }) => where !== 'video' || link !== null, { error: fault(noLinkWords), path: ['link'] }),
);
export type ServiceInput = z.output<typeof serviceInput>;

/** A change of a service. An absent field stays, null clears it. */
export const serviceChange = z.partial(serviceFields);
export type ServiceChange = z.output<typeof serviceChange>;

/** What the shop's service says for everybody who does it. The length and the prices are each one's own. */
export const ruledByShop = ['name', 'gap', 'description', 'seats', 'templateId', 'isOffered', 'where', 'link'] as const;

/** Who of the shop's people does a service. What is left out is the house's, or as it was. */
export const doerInput = z.object({
  username: requiredText(msg`Username`),
  offered: z.boolean(fault(msg`Being offered must be true or false.`)),
  minutes: z.optional(minutes),
  price: z.optional(moneyText(msg`Price`, limit.price)),
});
export type DoerInput = z.output<typeof doerInput>;

export const serviceId = z.object({ id: requiredText(msg`Id`) });

export const serviceOrder = z.array(z.string(fault(msg`An id must be text.`)), fault(msg`Send a list of ids.`)).check(
  listRule((list, complain) => {
    if (new Set(list).size < list.length) complain(msg`Each service can be in the list once.`);
  }),
  z.meta({ maxItems: limits.services }),
);
