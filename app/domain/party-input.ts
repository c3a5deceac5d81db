import * as z from 'zod/mini';
import type { Actor } from './accounts';
import { isLocalTime, type LocalDate, localDateOf, parseWireDate } from './clock';
import type { Fault } from './errors';
import { anyObject, given, line, listRule, paragraph, textsAmong } from './fields';
import { fold } from './fold';
import { limits } from './limits';

/* What parties and meetups take from outside. Apart from parties.ts, so that the browser need not load it. */

const limit = limits.party;

const wireDate = (name: string) =>
  z.pipe(
    z.string(`${name} is missing.`).check(z.trim()),
    z.transform((text, context): LocalDate => {
      const date = parseWireDate(text);
      if (!date) {
        const message = text === '' ? `${name} is missing.` : `${name} must be a date of the form MM-DD-YYYY.`;
        context.issues.push({ code: 'custom', input: text, message });
      }
      return date ?? '';
    }),
  );

const clockTime = (name: string) =>
  z.string(`${name} is missing.`).check(z.refine(isLocalTime, `${name} must be a time of day such as 19:00.`));

/** A whole number from `min` to `max`, as a number or as text; null where it is left out or blank. */
const wholeNumber = (name: string, min: number, max: number) => {
  const words = `${name} must be a whole number from ${min} to ${max.toLocaleString('en')}.`;
  return z.pipe(
    z.optional(z.nullable(z.union([z.number(), z.string()], words))),
    z.transform((sent, context): number | null => {
      if (sent === undefined || sent === null || sent === '') return null;
      const number = /^\d{1,6}$/.test(String(sent).trim()) ? Number(sent) : Number.NaN;
      if (!(number >= min && number <= max)) context.issues.push({ code: 'custom', input: sent, message: words });
      return number;
    }),
  );
};

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const webAddress = z.pipe(
  paragraph('The map link', limit.url),
  z.transform((url, context): string | null => {
    if (url && !isWebAddress(url)) {
      context.issues.push({ code: 'custom', input: url, message: 'The map link must begin with http:// or https://.' });
    }
    return url;
  }),
);

/** True or false, as such or as text; a ticked box sends `on`. False where it is left out. */
const yesOrNo = (name: string) =>
  z.pipe(
    z.optional(z.nullable(z.literal([true, false, 'true', 'false', 'on'], `${name} must be true or false.`))),
    z.transform((sent) => sent === true || sent === 'true' || sent === 'on'),
  );

const identifier = z.pipe(
  z.optional(z.nullable(z.string('The template must be given by its id.'))),
  z.transform((id): string | null => id || null),
);

/** The calls have some fields by two or three names; the first that is there counts. */
const otherNames: Record<string, string[]> = {
  startTime: ['start'],
  endTime: ['end'],
  templateId: ['template', 'formId'],
};

function named(sent: Record<string, unknown>): Record<string, unknown> {
  const fields = { ...sent };
  for (const [name, others] of Object.entries(otherNames)) {
    const given = [name, ...others].find((one) => fields[one] !== undefined);
    if (given) fields[name] = fields[given];
  }
  return fields;
}

const byAnyName = z.pipe(anyObject, z.transform(named));

const common = {
  title: line('Title', limit.title),
  description: paragraph('Description', limit.description),
  date: wireDate('Date'),
  startTime: clockTime('Start time'),
  endTime: clockTime('End time'),
  address: paragraph('Address', limit.address),
  locationUrl: webAddress,
};

const ofParty = {
  ...common,
  templateId: identifier,
  capacity: wholeNumber('Capacity', 1, limit.capacity),
  rsvpBy: z.pipe(
    z.optional(z.nullable(z.string('The last day to answer must be a date.'))),
    z.transform((text, context): LocalDate | null => {
      if (!text) return null;
      const date = parseWireDate(text);
      const message = 'The last day to answer must be a date of the form MM-DD-YYYY.';
      if (!date) context.issues.push({ code: 'custom', input: text, message });
      return date;
    }),
  ),
  plusOnes: wholeNumber('Plus-ones', 0, limit.plusOnes),
  hideGoing: yesOrNo('Hiding how many are coming'),
};

const names = z.array(line('A name', limit.name), 'Give a list of names.').check(
  listRule((list, complain) => {
    if (list.length === 0) complain('Give at least one name.');
    if (list.length > limit.names) complain(`A meetup can have at most ${limit.names} names.`);
    const seen = new Set<string>();
    const twice = textsAmong(list).find((name) => seen.has(fold(name)) || !seen.add(fold(name)));
    if (twice !== undefined) complain(`“${twice}” is there twice.`);
  }),
);

/** What a party takes. */
export const partyInput = z.pipe(byAnyName, z.object(ofParty));
export type PartyInput = z.output<typeof partyInput>;

/** What a meetup takes. */
export const meetupInput = z.pipe(byAnyName, z.object({ ...common, attendees: names }));
export type MeetupInput = z.output<typeof meetupInput>;

const newDate = z.object({ date: common.date });

/** What is said of a date before today in the host's zone. */
export const pastDateFault: Fault = { field: 'date', message: 'Choose a date that is not in the past.' };

/**
 * The past date of a new party or meetup in which other things are wrong. Where nothing else is, the date is judged as
 * it is created: what is past by now may have been created earlier with the same one-time key.
 */
export function pastDate({ timeZone }: Actor, sent: unknown, now: number): Fault[] {
  const { success, data } = z.safeParse(newDate, sent);
  return success && data.date < localDateOf(now, timeZone) ? [pastDateFault] : [];
}

/** What of a party or meetup may be edited: what is absent stays, null clears. */
export const partyChange = z.pipe(byAnyName, z.partial(z.object(ofParty)));
export const meetupChange = z.pipe(byAnyName, z.partial(z.object(common)));
export type PartyChange = z.output<typeof partyChange>;

/** The names to add to a meetup. */
export const nameList = names;

const accepted = z.pipe(
  z
    .string('Accepted must be true or false.')
    .check(z.refine((text) => text === 'true' || text === 'false', 'Accepted must be true or false.')),
  z.transform((text) => text === 'true'),
);

export const partyId = z.object({ id: given('Id') });

/** A guest's answer to a party. */
export const partyAnswer = z.object({
  id: given('Id'),
  accepted,
  guests: z.pipe(
    wholeNumber('Guests', 0, limit.plusOnes),
    z.transform((guests) => guests ?? 0),
  ),
});
export type PartyAnswer = z.output<typeof partyAnswer>;

/** An invitee's answer by their personal link; the name in the link is not believed. */
export const meetupAnswer = z.object({ id: given('Id'), meetupid: given('Meetupid'), accepted });
