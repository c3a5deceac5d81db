import { beforeAll, describe, expect, test } from 'vitest';
import { tripsOf } from '../../support/asked';
import { codeOf, keyOn } from '../../support/authenticator';
import { newLoginOf, useEndingServer } from '../../support/ended';
import { makeRouteWorld, type RouteWorld } from '../../support/every-route';
import {
  book,
  dayAhead,
  type Person,
  password,
  publish,
  publishOne,
  type Row,
  registerConsumer,
} from '../../support/factories';
import { wordOf } from '../../support/guests';
import { held } from '../../support/held';
import { createMeetup, createParty, linkOf, publishQuestions } from '../../support/party-factories';
import { getTemplate, idOf, openEnded, templateIn, writeTemplate } from '../../support/template-factories';

/* The same as in ended-sessions.test.ts for forms: a session that ends while a form's write is under way. */

const daybook = useEndingServer();

let world: RouteWorld;
beforeAll(async () => {
  world = await makeRouteWorld(daybook);
});

type Form = { path: string; typed: Record<string, string | string[]> };
const questions = [{ questionText: 'Why?', questionType: openEnded }];
const local = (days: number) => {
  const [month, day, year] = dayAhead(days).split('-');
  return `${year}-${month}-${day}`;
};
/** Two slots of a day of their own that ask a template, and what answers it. */
async function asking(): Promise<{ one: Row; other: Row; answers: Form['typed'] }> {
  const { provider, newDay } = world;
  const template = idOf(await writeTemplate(provider, questions));
  const slots = await publish(provider, { dates: [newDay()], end: '10:00' }, `templateId=${template}`);
  const [one, other] = slots as [Row, Row];
  return { one, other, answers: await answersTo(template) };
}
async function answersTo(template: string): Promise<Form['typed']> {
  const [question] = templateIn(await getTemplate(world.provider, template)).questions;
  return { template, [`q.${question?.id}`]: 'Because' };
}
const slot = () => publishOne(world.provider, { dates: [world.newDay()] });
const event = { title: 'New', date: local(6), startTime: '18:00', endTime: '20:00', description: 'Come' };
const meetup = () => createMeetup(world.provider);
const manage = async (typed: Form['typed']): Promise<Form> => ({
  path: `/manage-meetup/${(await meetup()).id}`,
  typed,
});
const ofName = async (field: string): Promise<Form> => {
  const made = await meetup();
  return { path: `/manage-meetup/${made.id}`, typed: { [field]: `${linkOf(made, 'Ada').id}.0` } };
};

type Case = [what: string, who: 'provider' | 'consumer' | 'newcomer', form: (person: Person) => Promise<Form> | Form];
const cases: Case[] = [
  [
    'publish',
    'provider',
    () => ({ path: '/create', typed: { start: '09:00', end: '10:00', dates: [world.newDay()] } }),
  ],
  ['withdraw', 'provider', () => ({ path: '/view-open', typed: { all: 'yes' } })],
  [
    'bring back',
    'provider',
    async () => {
      const { id } = await slot();
      const { location } = await world.provider.browser.post('/view-open', { id });
      return {
        path: '/view-open',
        typed: { bring: new URL(location ?? '', daybook.url).searchParams.get('done') ?? '' },
      };
    },
  ],
  [
    'hours',
    'provider',
    () => ({ path: '/hours', typed: { press: 'save', open: '1', 'start-1': '01:00', 'end-1': '02:00', len: '30' } }),
  ],
  ['rules', 'provider', () => ({ path: '/rules', typed: { openTo: 'anyone', notice: '60' } })],
  ['marks', 'provider', () => ({ path: '/day', typed: { [`as.${world.past}`]: 'seen' } })],
  [
    'book for',
    'provider',
    async () => ({
      path: `/details-provider/${(await slot()).id}`,
      typed: { intent: 'book-for', displayName: 'Walk-in' },
    }),
  ],
  [
    'change',
    'provider',
    async () => ({ path: `/details-provider/${(await slot()).id}`, typed: { intent: 'change', notes: 'New' } }),
  ],
  [
    'note',
    'provider',
    () => ({ path: `/details-provider/${world.booked.id}`, typed: { intent: 'note', note: 'New' } }),
  ],
  ['link', 'provider', () => ({ path: `/details-provider/${world.booked.id}`, typed: { intent: 'new-link' } })],
  [
    'withdraw one',
    'provider',
    async () => ({ path: `/details-provider/${(await slot()).id}`, typed: { intent: 'cancel' } }),
  ],
  [
    'move as the provider',
    'provider',
    async () => {
      const { one, other } = await asking();
      await book(world.consumer, one);
      return { path: `/move/${one.id}/${other.id}`, typed: {} };
    },
  ],
  [
    'a template',
    'provider',
    () => ({
      path: '/create-template',
      typed: { templateName: 'New', press: 'save', question: JSON.stringify(questions[0]) },
    }),
  ],
  [
    'a template edited',
    'provider',
    async () => ({
      path: `/edit-template/${await publishQuestions(world.provider, questions)}`,
      typed: { templateName: 'Newer', press: 'save', question: JSON.stringify(questions[0]) },
    }),
  ],
  [
    'a template deleted',
    'provider',
    async () => ({ path: `/details-template/${await publishQuestions(world.provider, questions)}`, typed: {} }),
  ],
  ['a party', 'provider', () => ({ path: '/create-party', typed: event })],
  [
    'a party edited',
    'provider',
    async () => ({ path: `/edit-party/${(await createParty(world.provider)).id}`, typed: event }),
  ],
  [
    'a party deleted',
    'provider',
    async () => ({ path: `/view-party/${(await createParty(world.provider)).id}`, typed: {} }),
  ],
  [
    'a party repeated',
    'provider',
    async () => {
      const { id } = await createParty(world.provider, { date: dayAhead(6) });
      return { path: `/repeat/${id}`, typed: { dates: [local(13), local(20)], sequence: '0' } };
    },
  ],
  ['a meetup', 'provider', () => ({ path: '/view-meetups', typed: { ...event, attendees: 'Ada\nBen' } })],
  ['a meetup edited', 'provider', () => manage({ intent: 'edit', ...event })],
  ['a meetup deleted', 'provider', () => manage({ intent: 'delete' })],
  ['names', 'provider', () => manage({ intent: 'add', attendees: 'Cem' })],
  ['a name removed', 'provider', () => ofName('remove')],
  ['a link replaced', 'provider', () => ofName('replace')],
  [
    'an address',
    'provider',
    async () => {
      const { path, typed } = await ofName('whose');
      return { path, typed: { ...typed, intent: 'address', email: 'ada@example.com' } };
    },
  ],
  ['book', 'consumer', async () => ({ path: `/details/${(await slot()).id}`, typed: {} })],
  [
    'book with answers',
    'consumer',
    async () => {
      const { one, answers } = await asking();
      return { path: `/details/${one.id}`, typed: answers };
    },
  ],
  [
    'book at the provider’s page',
    'consumer',
    async () => {
      const { one, answers } = await asking();
      const shown = wordOf(daybook, `book ${world.provider.username.toLowerCase()} ${one.id}`, Date.now() - 5_000);
      return { path: `/with/${world.provider.username}/${one.id}`, typed: { ...answers, shown } };
    },
  ],
  ...(['cancel', 'answers'] as const).map(
    (intent): Case => [
      intent,
      'consumer',
      async () => {
        const { one, answers } = await asking();
        await book(world.consumer, one);
        return { path: `/details-cancel/${one.id}`, typed: intent === 'cancel' ? { intent } : answers };
      },
    ],
  ),
  [
    'move with answers',
    'consumer',
    async () => {
      const { one, other, answers } = await asking();
      await book(world.consumer, one);
      return { path: `/move/${one.id}/${other.id}`, typed: answers };
    },
  ],
  [
    'a reply',
    'consumer',
    async () => ({ path: `/party/${(await createParty(world.provider)).id}`, typed: { accepted: 'true' } }),
  ],
  [
    'a reply with answers',
    'consumer',
    async () => {
      const template = idOf(await writeTemplate(world.provider, questions));
      const { id } = await createParty(world.provider, { template });
      return { path: `/party/${id}`, typed: { accepted: 'true', ...(await answersTo(template)) } };
    },
  ],
  [
    'the profile',
    'newcomer',
    () => ({ path: '/profile', typed: { intent: 'profile', displayName: 'New', timeZone: 'UTC' } }),
  ],
  [
    'a password',
    'newcomer',
    () => ({ path: '/profile', typed: { intent: 'password', password, newPassword: 'Better horse 2' } }),
  ],
  ['an address of their own', 'newcomer', () => ({ path: '/email', typed: { email: 'new@example.com', password } })],
  ['mails', 'newcomer', () => ({ path: '/email', typed: { intent: 'kinds' } })],
  ['recovery codes', 'newcomer', () => ({ path: '/recovery-codes', typed: { password } })],
  [
    'a second factor',
    'newcomer',
    async ({ browser }) => {
      const code = codeOf(keyOn(await browser.visit('/second-factor')));
      return { path: '/second-factor', typed: { intent: 'on', code, password } };
    },
  ],
  ['a feed', 'newcomer', () => ({ path: '/calendar', typed: {} })],
  ['news', 'provider', () => ({ path: '/news', typed: {} })],
  ['the account', 'newcomer', () => ({ path: '/your-data', typed: { password } })],
];

/** Those that need more than one round trip. */
const parted: string[] = [];

describe('a session that ends between two round trips of a form’s write', () => {
  test.each(cases.map(([what], place) => [what, place] as const))('leaves all as it was: %s', async (what, place) => {
    const [, who, form] = cases[place] as Case;
    for (const trip of ['2', '3']) {
      const person = who === 'newcomer' ? await registerConsumer(daybook) : world[who];
      const browser = await newLoginOf(person, daybook);
      const { path, typed } = await form({ ...person, browser });
      const then = await held(daybook, 'sessions');
      const page = await browser.post(path, typed, { 'x-ends-before': trip, 'x-ends': person.username });
      if (tripsOf(page) < Number(trip)) {
        // It was done before that trip.
        expect([what, page.status < 400]).toEqual([what, true]);
        break;
      }
      parted.push(what);
      person.browser.cookies.set('daybook', (await newLoginOf(person, daybook)).cookies.get('daybook') ?? '');
      expect([what, trip, page.status]).toEqual([what, trip, 401]);
      expect(page.words).toMatch(/log(ged)? in/i);
      expect(await held(daybook, 'sessions')).toEqual(then);
    }
  });

  test('is met by those that need more than one', () => {
    expect([...new Set(parted)].sort()).toEqual([
      'a meetup edited',
      'a party edited',
      'a party repeated',
      'a password',
      'a reply with answers',
      'a second factor',
      'an address of their own',
      'answers',
      'book at the provider’s page',
      'book with answers',
      'move with answers',
      'recovery codes',
      'the account',
    ]);
  });
});
