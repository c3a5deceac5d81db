import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import type { Fault } from '../errors';
import {
  addressAsSent,
  clockTime,
  email,
  excerpt,
  fault,
  isObject,
  listRule,
  paragraph,
  phone,
  requiredText,
  seenName,
  templateId,
  textsAmong,
  wholeNumber,
  wireDate,
  wireDateWords,
  yesOrNo,
} from '../input/fields';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import { isWebAddress } from '../input/outside-address';
import type { Actor } from '../profile/accounts';
import { askEmail, type HowAsked, type OpenTo, openTo } from '../profile/rules';
import { answerList } from '../templates/answers';
import { type Instant, type LocalDate, localDateOf } from '../time/clock';
import type { Words } from '../words/words';

// Kept apart from parties.ts, so that the browser need not load it.

const limit = limits.party;

function count(name: Words, min: number, max: number) {
  return wholeNumber(
    fault(msg`${name} must be a whole number from ${min} to ${plural({ max }, { other: '#' })}.`),
    min,
    max,
  );
}

function mapLinkFault(url: string): Words | undefined {
  // Needed because the parser of addresses skips line breaks.
  if (url.includes('\n')) return msg`The map link has characters that can't be shown.`;
  return isWebAddress(url)
    ? undefined
    : msg`The map link must begin with http:// or https://, and have no name before an @.`;
}

const webAddress = z
  .pipe(
    paragraph(msg`The map link`, limit.url),
    z.transform((url, context): string | null => {
      const message = url ? mapLinkFault(url) : undefined;
      if (message) context.issues.push({ code: 'custom', input: url, message: fault(message) });
      return url;
    }),
  )
  .register(z.globalRegistry, { description: 'An address of http or https.' });

// Other names that a call may use for some fields. If several are there, the first counts.
const otherNames: Record<string, string[]> = {
  startTime: ['start'],
  endTime: ['end'],
  templateId: ['template', 'formId'],
};

function byAnyName(input: unknown): unknown {
  if (!isObject(input)) return input;
  const fields = { ...input };
  for (const [name, others] of Object.entries(otherNames)) {
    const present = [name, ...others].find((alias) => fields[alias] !== undefined);
    if (present) fields[name] = fields[present];
  }
  return fields;
}

const oneOf = (name: string, choices: readonly string[]) =>
  fault(msg`${name} is one of ${{ choices: choices.join(', ') }}.`);

const asks = (name: 'askEmail' | 'askPhone', usual: HowAsked) =>
  z
    .pipe(
      z.optional(z.nullable(z.enum(askEmail, oneOf(name, askEmail)))),
      z.transform((choice): HowAsked => choice ?? usual),
    )
    .register(z.globalRegistry, { enum: [...askEmail] });

const noDate = fault(msg`Date is missing.`);

const common = {
  title: seenName(msg`Title`, limit.title),
  description: paragraph(msg`Description`, limit.description),
  date: wireDate(z.string(noDate).check(z.trim()), (text) =>
    text === '' ? noDate : fault(msg`Date must be a date of the form MM-DD-YYYY.`),
  ),
  startTime: clockTime(msg`Start time`, '19:00'),
  endTime: clockTime(msg`End time`, '19:00'),
  address: paragraph(msg`Address`, limit.address),
  locationUrl: webAddress,
  askEmail: asks('askEmail', 'optional'),
  askPhone: asks('askPhone', 'no'),
};

const openToInput = z
  .pipe(
    z.optional(z.nullable(z.enum(openTo, oneOf('openTo', openTo)))),
    z.transform((who): OpenTo => who ?? 'accounts'),
  )
  .register(z.globalRegistry, { enum: [...openTo] });

const partyFields = {
  ...common,
  templateId,
  capacity: count(msg`Capacity`, 1, limit.capacity),
  rsvpBy: z
    .pipe(
      z.pipe(
        z.optional(z.nullable(z.string(fault(msg`The last day to answer must be a date.`)))),
        z.transform((text) => text || null),
      ),
      z.nullable(wireDate(z.string(), () => fault(msg`The last day to answer must be a date of the form MM-DD-YYYY.`))),
    )
    .register(z.globalRegistry, wireDateWords),
  plusOnes: count(msg`Plus-ones`, 0, limit.plusOnes),
  hideGoing: yesOrNo(msg`Hiding how many are coming`),
  openTo: openToInput,
  showOnPage: yesOrNo(msg`Showing it on your page`),
};

const addressOfName = z.pipe(
  z.optional(z.nullable(z.string(fault(msg`An e-mail address must be text.`)).check(z.trim()))),
  z.transform((typed, context): string | null => {
    if (!typed) return null;
    const address = addressAsSent(typed);
    if (address === null) {
      const message = msg`“${{ text: excerpt(typed) }}” is no e-mail address.`;
      context.issues.push({ code: 'custom', input: typed, message: fault(message) });
    }
    return address;
  }),
);

const invitee = z
  .pipe(
    z.transform((input: unknown) => (isObject(input) ? input : { name: input })),
    z.object({ name: seenName(msg`A name`, limit.name), email: addressOfName }),
  )
  .register(z.globalRegistry, { type: ['string', 'object'], minLength: 1, maxLength: limit.name });

const namesAmong = (list: unknown[]) => textsAmong(list.map((entry) => (isObject(entry) ? entry.name : entry)));

export const tooManyNames = msg`A meetup can have at most ${plural({ most: limit.names }, { one: '# name', other: '# names' })}.`;

const names = z.array(invitee, fault(msg`Give a list of names.`)).check(
  listRule((list, complain) => {
    if (list.length === 0) complain(fault(msg`Give at least one name.`));
    if (list.length > limit.names) complain(fault(tooManyNames));
    const foldedNames = new Set<string>();
    const twice = namesAmong(list).find((name) => foldedNames.has(fold(name)) || !foldedNames.add(fold(name)));
    if (twice !== undefined) complain(fault(msg`“${twice}” is there twice.`));
  }),
  z.meta({ minItems: 1, maxItems: limit.names }),
);

export const partyInput = z.pipe(z.transform(byAnyName), z.object(partyFields));
export type PartyInput = Omit<z.output<typeof partyInput>, Usual> & Partial<Pick<z.output<typeof partyInput>, Usual>>;
type Usual = 'openTo' | 'showOnPage' | 'askEmail' | 'askPhone';

export const meetupInput = z.pipe(z.transform(byAnyName), z.object({ ...common, attendees: names }));
export type MeetupInput = Omit<z.output<typeof meetupInput>, Usual> &
  Partial<Pick<PartyInput, 'askEmail' | 'askPhone'>>;

const newDate = z.object({ date: common.date });
const newRsvpBy = z.object({ rsvpBy: partyFields.rsvpBy });

/**
 * The faults in a new event's dates: a day before today in the host's zone, or a last day for RSVPs that is past or
 * after the event.
 */
export function datesFaults({ date, rsvpBy }: { date?: LocalDate; rsvpBy?: LocalDate | null }, today: LocalDate) {
  const faults: Fault[] = [];
  if (rsvpBy && rsvpBy < today) faults.push({ field: 'rsvpBy', message: msg`The last day to answer is past already.` });
  // If the date is wrong, the last day for RSVPs can't be checked.
  if (date && date < today) faults.push(pastDateFault);
  else if (rsvpBy && date && rsvpBy > date) faults.push(lateRsvpByFault);
  return faults;
}

export const pastDateFault: Fault = { field: 'date', message: msg`Choose a date that is not in the past.` };

export const lateRsvpByFault: Fault = {
  field: 'rsvpBy',
  message: msg`The last day to answer can't be after the day of the party.`,
};

/**
 * Adds the fault of the date, if the input has other faults. Without others, the date is checked when the meetup is
 * created: with the same one-time key it may have been created before that date passed.
 */
export function wrongDate({ timeZone }: Actor, input: unknown, now: Instant): Fault[] {
  const date = z.safeParse(newDate, input).data?.date;
  return datesFaults({ date }, localDateOf(now, timeZone));
}

/** Adds the faults of a party's dates as wrongDate does. */
export function wrongDates({ timeZone }: Actor, input: unknown, now: Instant): Fault[] {
  const date = z.safeParse(newDate, input).data?.date;
  const rsvpBy = z.safeParse(newRsvpBy, input).data?.rsvpBy;
  return datesFaults({ date, rsvpBy }, localDateOf(now, timeZone));
}

/** Changes to a party. An absent field stays, null clears it. */
export const partyChange = z.pipe(z.transform(byAnyName), z.partial(z.object(partyFields)));
export const meetupChange = z.pipe(z.transform(byAnyName), z.partial(z.object(common)));
export type PartyChange = z.output<typeof partyChange>;

export const nameList = names;
export const namesForm = z.object({ attendees: names });

/** The address of a name; null for none. */
export const attendeeEmail = z.object({
  email: z.pipe(
    z.nullable(z.string(fault(msg`E-mail is missing.`))),
    email as z.ZodMiniType<string | null, string | null>,
  ),
});

const accepted = z.pipe(
  z.enum(['true', 'false'], fault(msg`Accepted must be true or false.`)),
  z.transform((text) => text === 'true'),
);

export const partyId = z.object({ id: requiredText(msg`Id`) });

/** The contact of somebody who answers. Null leaves what is stored. */
export const contact = z.object({ email, phone });
export type Contact = z.output<typeof contact>;
export const noContact: Contact = { email: null, phone: null };

/** The body of an RSVP: a list of answers, or an object that has e-mail and phone too. */
export const rsvpBody = z
  .pipe(
    z.transform((input: unknown) => (isObject(input) ? input : { formData: input })),
    z.object({ formData: z.optional(answerList), email, phone }),
  )
  .register(z.globalRegistry, { type: ['array', 'object'] });

// A wrong number of guests stays NaN until the party is read, because the message says how many it allows.
export const partyRsvp = z
  .object({
    id: requiredText(msg`Id`),
    accepted,
    guests: z
      .pipe(
        z.optional(z.string()),
        z.transform((text = '') => (/^\d{0,6}$/.test(text.trim()) ? Number(text) : Number.NaN)),
      )
      .register(z.globalRegistry, { type: 'integer', minimum: 0, maximum: limit.plusOnes }),
  })
  .check(
    // If there are other faults, the party is not read, and the message has no number.
    z.refine(({ guests }) => !Number.isNaN(guests), {
      error: fault(msg`Guests must be a whole number.`),
      path: ['guests'],
      when: ({ issues }) => issues.length > 0,
    }),
  );
export type PartyRsvp = z.output<typeof partyRsvp>;

export const rsvpForm = z.pipe(
  z.extend(partyRsvp, contact.shape),
  z.transform(({ email, phone, ...rsvp }) => ({ ...rsvp, contact: { email, phone } })),
);

export const meetupRsvp = z.object({ id: requiredText(msg`Id`), meetupid: requiredText(msg`Meetupid`), accepted });
