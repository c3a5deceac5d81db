import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { booked, cancellation } from '../../../app/domain/bookings/appointments';
import { walkInBooking } from '../../../app/domain/bookings/walk-ins';
import { feedsChange } from '../../../app/domain/busy/feeds';
import { guestDetails } from '../../../app/domain/guests/guests';
import { hoursInput } from '../../../app/domain/hours/hours';
import { parse } from '../../../app/domain/input/fields';
import { namesForm, partyChange } from '../../../app/domain/parties/party-input';
import { newCard } from '../../../app/domain/people/people';
import { passwordChange, providerProfile, registration } from '../../../app/domain/profile/accounts';
import { rulesChange } from '../../../app/domain/profile/rules';
import { seriesLength } from '../../../app/domain/series/series';
import { serviceChange } from '../../../app/domain/services/service-input';
import { change } from '../../../app/domain/slots/change';
import { standingList } from '../../../app/domain/standing/standing';
import { question, questionList, templateName } from '../../../app/domain/templates/templates';
import { wireDate } from '../../../app/domain/time/clock';
import { faultsOf } from '../../support/complaints';

/* How much of each thing there may be. */

type Case = [what: string, limit: number, schema: z.ZodMiniType, input: (many: number) => unknown];

const text = (length: number) => 'x'.repeat(length);
const listOf = (many: number, entry: (place: number) => unknown) => Array.from({ length: many }, (_, at) => entry(at));
const profile = { displayName: 'Ana', timeZone: 'UTC', location: 'Lisbon' };
const account = { ...profile, role: 'Provider', username: 'ana', password: 'Sunflower-42' };
const url = (length: number) => `https://${text(length - 'https://'.length)}`;
const minutesOfHours = (place: number) =>
  `${String(9 + Math.floor(place / 60)).padStart(2, '0')}:${String(place % 60).padStart(2, '0')}`;
const dateOf = (place: number) => wireDate(new Date(Date.UTC(2027, 0, 1 + place)).toISOString().slice(0, 10));
const choices = (many: number) => ({
  questionText: 'Side?',
  questionType: 1,
  options: listOf(many, (at) => `Side ${at}`),
});

/** Twenty questions of 4,999 characters, and one that fills up to so many. */
const questionsOf = (characters: number) => [
  ...listOf(20, (at) => ({
    questionText: text(497) + String(at).padStart(2, '0'),
    questionType: 1,
    options: listOf(9, (place) => text(499) + place),
  })),
  { questionText: text(characters - 99_980) },
];

const texts: Case[] = [
  ['a username', 32, registration, (many) => ({ ...account, username: text(many) })],
  [
    'a new password',
    128,
    passwordChange,
    (many) => ({ password: 'x', newPassword: `Aa1-${'xy'.repeat(many)}`.slice(0, many) }),
  ],
  ['the name of an account', 80, providerProfile, (many) => ({ ...profile, displayName: text(many) })],
  ['a city', 80, providerProfile, (many) => ({ ...profile, location: text(many) })],
  ['the address of a provider', 200, providerProfile, (many) => ({ ...profile, address: text(many) })],
  ['the description of a provider', 2000, providerProfile, (many) => ({ ...profile, description: text(many) })],
  ['the name of a guest', 80, guestDetails, (many) => ({ displayName: text(many), timeZone: 'UTC' })],
  [
    'an e-mail address',
    254,
    guestDetails,
    (many) => ({ displayName: 'Bo', email: `${text(many - 12)}@example.org`, timeZone: 'UTC' }),
  ],
  ['the name on a card', 80, newCard, (many) => ({ name: text(many) })],
  ['the note on a card', 2000, newCard, (many) => ({ name: 'Bo', note: text(many) })],
  ['a phone number', 40, newCard, (many) => ({ name: 'Bo', phone: '9'.repeat(many) })],
  ['the note of a booking', 1000, walkInBooking, (many) => ({ displayName: 'Bo', note: text(many) })],
  ['a reason', 500, cancellation, (many) => ({ reason: text(many) })],
  ['the notes of a time', 1000, change, (many) => ({ notes: text(many) })],
  ['the notes of hours', 1000, hoursInput, (many) => ({ hours: [], notes: text(many) })],
  ['the name of a service', 80, serviceChange, (many) => ({ name: text(many) })],
  ['the price of a service', 40, serviceChange, (many) => ({ price: text(many) })],
  ['the description of a service', 500, serviceChange, (many) => ({ description: text(many) })],
  ['the title of a party', 200, partyChange, (many) => ({ title: text(many) })],
  ['the description of a party', 5000, partyChange, (many) => ({ description: text(many) })],
  ['the address of a party', 500, partyChange, (many) => ({ address: text(many) })],
  ['the map link of a party', 8000, partyChange, (many) => ({ locationUrl: url(many) })],
  ['the name of an attendee', 80, namesForm, (many) => ({ attendees: [text(many)] })],
  ['the name of another calendar', 80, feedsChange, (many) => ({ feeds: [{ name: text(many) }] })],
  ['the address of another calendar', 2000, feedsChange, (many) => ({ feeds: [{ name: 'Away', url: url(many) }] })],
  ['the name of a template', 500, templateName, text],
  ['a question', 500, question, (many) => ({ questionText: text(many) })],
  ['an option', 500, question, (many) => ({ questionText: 'Side?', questionType: 1, options: ['Left', text(many)] })],
];

const lists: Case[] = [
  ['other calendars', 5, feedsChange, (many) => ({ feeds: listOf(many, (at) => ({ name: `Calendar ${at}` })) })],
  ['names of a meetup', 500, namesForm, (many) => ({ attendees: listOf(many, (at) => `Guest ${at}`) })],
  ['questions of a template', 50, questionList, (many) => listOf(many, (at) => ({ questionText: `Question ${at}` }))],
  ['characters of all questions', 100_000, questionList, questionsOf],
  ['options of a question', 50, question, choices],
  [
    'standing times of a person',
    7,
    standingList,
    (many) => listOf(many, (at) => ({ day: at % 7, start: `${10 + at}:00`, from: '01-01-2027', every: 7 })),
  ],
  [
    'ranges of a day',
    24,
    hoursInput,
    (many) => ({
      hours: listOf(many, (at) => ({ day: 1, start: minutesOfHours(2 * at), end: minutesOfHours(2 * at + 1) })),
    }),
  ],
  [
    'exceptions to hours',
    366,
    hoursInput,
    (many) => ({ hours: [], except: listOf(many, (at) => ({ date: dateOf(at) })) }),
  ],
];

const numbers: Case[] = [
  ['people in a booking', 10, booked, (people) => ({ id: 'x', people: String(people) })],
  ['dates of a series', 53, seriesLength, (times) => ({ every: '7', times: String(times) })],
  ['minutes of a service', 1440, serviceChange, (minutes) => ({ minutes })],
  ['minutes after a service', 240, serviceChange, (gap) => ({ gap })],
  ['places of a service', 500, serviceChange, (seats) => ({ seats })],
  ['minutes between times of hours', 240, hoursInput, (gap) => ({ hours: [], gap })],
  ['days ahead of hours', 365, hoursInput, (ahead) => ({ hours: [], ahead })],
  ['minutes of notice', 43_200, rulesChange, (notice) => ({ notice })],
  ['minutes to cancel', 43_200, rulesChange, (cancelUntil) => ({ cancelUntil })],
  ['days in which people can book', 1095, rulesChange, (horizonDays) => ({ horizonDays })],
  ['appointments of a person', 1000, rulesChange, (perPerson) => ({ perPerson })],
  ['appointments of a day', 1000, rulesChange, (perDay) => ({ perDay })],
  ['days that answers are kept', 3650, rulesChange, (keepAnswersDays) => ({ keepAnswersDays })],
  ['people at a party', 100_000, partyChange, (capacity) => ({ capacity })],
  ['people whom a guest brings', 20, partyChange, (plusOnes) => ({ plusOnes })],
];

const faults = ([, , schema, input]: Case, many: number) => faultsOf(() => parse(schema, input(many)));

describe('at most so many', () => {
  test.each([...texts.map((one): Case => [`characters of ${one[0]}`, one[1], one[2], one[3]]), ...lists, ...numbers])(
    '%s: %i',
    (...limited) => {
      const [, most] = limited;

      expect(faults(limited, most)).toEqual([]);
      expect(faults(limited, most + 1)).not.toEqual([]);
    },
  );
});

const least: Case[] = [
  ['characters of a username', 3, registration, (many) => ({ ...account, username: text(many) })],
  [
    'characters of a new password',
    8,
    passwordChange,
    (many) => ({ password: 'x', newPassword: 'A7-kwdzm'.slice(0, many) }),
  ],
  ['signs of a phone number', 3, newCard, (many) => ({ name: 'Bo', phone: '9'.repeat(many) })],
  ['people in a booking', 1, booked, (people) => ({ id: 'x', people: String(people) })],
  ['dates of a series', 1, seriesLength, (times) => ({ every: '7', times: String(times) })],
  ['minutes of a service', 5, serviceChange, (minutes) => ({ minutes })],
  ['places of a service', 1, serviceChange, (seats) => ({ seats })],
  ['days ahead of hours', 1, hoursInput, (ahead) => ({ hours: [], ahead })],
  ['options of a choice', 2, question, choices],
  ['people at a party', 1, partyChange, (capacity) => ({ capacity })],
];

describe('at least so many', () => {
  test.each(least)('%s: %i', (...limited) => {
    const [, fewest] = limited;

    expect(faults(limited, fewest)).toEqual([]);
    expect(faults(limited, fewest - 1)).not.toEqual([]);
  });
});
