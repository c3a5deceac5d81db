import * as z from 'zod/mini';
import type { Actor } from '../accounts/accounts';
import { type OpenTo, openTo } from '../accounts/rules';
import type { Fault } from '../errors';
import {
  beginning,
  clockTime,
  given,
  isEmail,
  isObject,
  listRule,
  paragraph,
  seenName,
  templateId,
  textsAmong,
  wholeNumber,
  wireDate,
  wireDateWords,
} from '../input/fields';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import { type Instant, type LocalDate, localDateOf } from '../time/clock';

/* What parties and meetups take from outside. Apart from parties.ts, so that the browser need not load it. */

const limit = limits.party;

const count = (name: string, min: number, max: number) =>
  wholeNumber(`${name} must be a whole number from ${min} to ${max.toLocaleString('en')}.`, min, max);

// Without the slashes, `https:name` is a page of our own wherever ours is served by https.
const isWebAddress = (text: string) => URL.canParse(text) && /^https?:\/\//i.test(text);

function wrongWith(url: string): string | undefined {
  // The parser of addresses skips line breaks.
  if (url.includes('\n')) return "The map link has characters that can't be shown.";
  return isWebAddress(url) ? undefined : 'The map link must begin with http:// or https://.';
}

const webAddress = z
  .pipe(
    paragraph('The map link', limit.url),
    z.transform((url, context): string | null => {
      const message = url ? wrongWith(url) : undefined;
      if (message) context.issues.push({ code: 'custom', input: url, message });
      return url;
    }),
  )
  .register(z.globalRegistry, { description: 'An address of http or https.' });

/** True or false, as such or as text; a ticked box sends `on`. False where it is left out. */
export const yesOrNo = (name: string) =>
  z.pipe(
    z.optional(z.nullable(z.literal([true, false, 'true', 'false', 'on'], `${name} must be true or false.`))),
    z.transform((sent) => sent === true || sent === 'true' || sent === 'on'),
  );

/** The calls have some fields by two or three names; the first that is there counts. */
const otherNames: Record<string, string[]> = {
  startTime: ['start'],
  endTime: ['end'],
  templateId: ['template', 'formId'],
};

function byAnyName(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const fields = { ...sent };
  for (const [name, others] of Object.entries(otherNames)) {
    const given = [name, ...others].find((one) => fields[one] !== undefined);
    if (given) fields[name] = fields[given];
  }
  return fields;
}

const common = {
  title: seenName('Title', limit.title),
  description: paragraph('Description', limit.description),
  date: wireDate(z.string('Date is missing.').check(z.trim()), (text) =>
    text === '' ? 'Date is missing.' : 'Date must be a date of the form MM-DD-YYYY.',
  ),
  startTime: clockTime('Start time', '19:00'),
  endTime: clockTime('End time', '19:00'),
  address: paragraph('Address', limit.address),
  locationUrl: webAddress,
};

/** Who may answer; accounts only where it is left out. */
const whoMay = z
  .pipe(
    z.optional(z.nullable(z.enum(openTo, `openTo is one of ${openTo.join(', ')}.`))),
    z.transform((who): OpenTo => who ?? 'accounts'),
  )
  .register(z.globalRegistry, { enum: [...openTo] });

const ofParty = {
  ...common,
  templateId,
  capacity: count('Capacity', 1, limit.capacity),
  rsvpBy: z
    .pipe(
      z.pipe(
        z.optional(z.nullable(z.string('The last day to answer must be a date.'))),
        z.transform((text) => text || null),
      ),
      z.nullable(wireDate(z.string(), () => 'The last day to answer must be a date of the form MM-DD-YYYY.')),
    )
    .register(z.globalRegistry, wireDateWords),
  plusOnes: count('Plus-ones', 0, limit.plusOnes),
  hideGoing: yesOrNo('Hiding how many are coming'),
  openTo: whoMay,
  showOnPage: yesOrNo('Showing it on your page'),
};

/** Where a name's invitation goes by mail; null where nowhere. */
const addressOfName = z.pipe(
  z.optional(z.nullable(z.string('An e-mail address must be text.').check(z.trim()))),
  z.transform((address, context): string | null => {
    if (!address) return null;
    if (!isEmail(address)) {
      const message = `“${beginning(address)}” is no e-mail address.`;
      context.issues.push({ code: 'custom', input: address, message });
    }
    return address;
  }),
);

/** A name, alone or with an address. */
const invitee = z
  .pipe(
    z.transform((sent: unknown) => (isObject(sent) ? sent : { name: sent })),
    z.object({ name: seenName('A name', limit.name), email: addressOfName }),
  )
  .register(z.globalRegistry, { type: ['string', 'object'], minLength: 1, maxLength: limit.name });

const namesAmong = (list: unknown[]) => textsAmong(list.map((one) => (isObject(one) ? one.name : one)));

const names = z.array(invitee, 'Give a list of names.').check(
  listRule((list, complain) => {
    if (list.length === 0) complain('Give at least one name.');
    if (list.length > limit.names) complain(`A meetup can have at most ${limit.names} names.`);
    const seen = new Set<string>();
    const twice = namesAmong(list).find((name) => seen.has(fold(name)) || !seen.add(fold(name)));
    if (twice !== undefined) complain(`“${twice}” is there twice.`);
  }),
  z.meta({ minItems: 1, maxItems: limit.names }),
);

/** What a party takes. */
export const partyInput = z.pipe(z.transform(byAnyName), z.object(ofParty));
export type PartyInput = Omit<z.output<typeof partyInput>, Usual> & Partial<Pick<z.output<typeof partyInput>, Usual>>;
/** What has a usual value where it is left out. */
type Usual = 'openTo' | 'showOnPage';

/** What a meetup takes. */
export const meetupInput = z.pipe(z.transform(byAnyName), z.object({ ...common, attendees: names }));
export type MeetupInput = z.output<typeof meetupInput>;

const newDate = z.object({ date: common.date });
const newRsvpBy = z.object({ rsvpBy: ofParty.rsvpBy });

/**
 * What is wrong with the dates of a new party or meetup: a day before today in the host's zone, a last day to answer
 * that is past already, or after the party. A date that is not given has no fault.
 */
export function datesFaults({ date, rsvpBy }: { date?: LocalDate; rsvpBy?: LocalDate | null }, today: LocalDate) {
  const faults: Fault[] = [];
  if (rsvpBy && rsvpBy < today) faults.push({ field: 'rsvpBy', message: 'The last day to answer is past already.' });
  // A wrong date says nothing about the last day to answer.
  if (date && date < today) faults.push(pastDateFault);
  else if (rsvpBy && date && rsvpBy > date) faults.push(lateRsvpByFault);
  return faults;
}

/** What is said of a date before today in the host's zone. */
export const pastDateFault: Fault = { field: 'date', message: 'Choose a date that is not in the past.' };

/** What is said of a last day to answer that comes too late. */
export const lateRsvpByFault: Fault = {
  field: 'rsvpBy',
  message: "The last day to answer can't be after the day of the party.",
};

/**
 * The faults in the date of a new meetup in which other things are wrong. Where nothing else is, it is judged as it is
 * created: what is past by now may have been created earlier with the same one-time key.
 */
export function wrongDate({ timeZone }: Actor, sent: unknown, now: Instant): Fault[] {
  const date = z.safeParse(newDate, sent).data?.date;
  return datesFaults({ date }, localDateOf(now, timeZone));
}

/** As wrongDate, of a new party. */
export function wrongDates({ timeZone }: Actor, sent: unknown, now: Instant): Fault[] {
  const date = z.safeParse(newDate, sent).data?.date;
  const rsvpBy = z.safeParse(newRsvpBy, sent).data?.rsvpBy;
  return datesFaults({ date, rsvpBy }, localDateOf(now, timeZone));
}

/** What of a party or meetup may be edited: what is absent stays, null clears. */
export const partyChange = z.pipe(z.transform(byAnyName), z.partial(z.object(ofParty)));
export const meetupChange = z.pipe(z.transform(byAnyName), z.partial(z.object(common)));
export type PartyChange = z.output<typeof partyChange>;

/** The names to add to a meetup, as a call sends them, and as a form does. */
export const nameList = names;
export const namesForm = z.object({ attendees: names });

/** Where the invitation of a name goes from now on; null where it goes nowhere. */
export const attendeeEmail = z.object({
  email: z.nullable(
    z.string('E-mail is missing.').check(
      z.trim(),
      z.refine((address) => address === '' || isEmail(address), 'That is no e-mail address.'),
    ),
  ),
});

const accepted = z.pipe(
  z.enum(['true', 'false'], 'Accepted must be true or false.'),
  z.transform((text) => text === 'true'),
);

/** The id of the one party, meetup or invitation that a call is about. */
export const partyId = z.object({ id: given('Id') });

/** A guest's answer to a party. */
export const partyRsvp = z.object({
  id: given('Id'),
  accepted,
  guests: z.pipe(
    count('Guests', 0, limit.plusOnes),
    z.transform((guests) => guests ?? 0),
  ),
});
export type PartyRsvp = z.output<typeof partyRsvp>;

/** The same from a form. What is no number of guests is judged with the answers, so that all faults are said at once. */
export const partyRsvpForm = z.object({
  id: given('Id'),
  accepted,
  guests: z.pipe(
    z.optional(z.string()),
    z.transform((typed = '') => (/^\d{0,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN)),
  ),
});

/** An invitee's answer by their personal link; the name in the link is not believed. */
export const meetupRsvp = z.object({ id: given('Id'), meetupid: given('Meetupid'), accepted });
