import { book, type Person, publish, type Row, registerConsumer, registerProvider } from './factories';
import { createMeetup, createParty, linkOf, type Party, publishQuestions, rsvp } from './party-factories';
import { openEnded } from './template-factories';
import type { Served } from './use-server';

/* Every screen of the product, and what each reader is answered there. */

/** One of everything, and whoever comes to see it; the consumer booked the slot and answered the party. */
export type World = {
  consumer: Person;
  provider: Person;
  rival: Person;
  open: Row;
  booked: Row;
  template: string;
  party: Party;
  meetup: Party;
};

export const questions = [{ questionText: 'Why?', questionType: openEnded }];

export async function makeWorld(daybook: Served): Promise<World> {
  const [consumer, provider, rival] = await Promise.all([
    registerConsumer(daybook),
    registerProvider(daybook),
    registerProvider(daybook),
  ]);
  const template = await publishQuestions(provider, questions);
  const [open, booked] = (await publish(provider, { end: '10:00' }, `templateId=${template}`)) as [Row, Row];
  await book(consumer, booked);
  const [party, meetup] = await Promise.all([createParty(provider), createMeetup(provider)]);
  await rsvp(consumer, party);
  return { consumer, provider, rival, open, booked, template, party, meetup };
}

/** What each of them is answered: a stranger, a consumer, the provider whose thing it is, another provider. */
export type Statuses = [stranger: number, consumer: number, provider: number, rival: number];
export const readers = ['stranger', 'consumer', 'provider', 'rival'] as const;
export type Reader = (typeof readers)[number];

const everyone: Statuses = [200, 200, 200, 200];
const members: Statuses = [302, 200, 200, 200];
const consumers: Statuses = [302, 200, 403, 403];
const providers: Statuses = [302, 403, 200, 200];
const owner: Statuses = [302, 403, 200, 404];

export type Screen = [path: string, statuses: Statuses, path: (world: World) => string];
const at =
  (path: string): ((world: World) => string) =>
  () =>
    path;

/** Every screen of the specification. */
export const screens: Screen[] = [
  ['/', everyone, at('/')],
  ['/register', everyone, at('/register')],
  ['/login', everyone, at('/login')],
  ['/logout', everyone, at('/logout')],
  ['/not-logged-in', everyone, at('/not-logged-in')],
  ['/profile', members, at('/profile')],
  ['/create', providers, at('/create')],
  ['/create-template', providers, at('/create-template')],
  ['/view', consumers, at('/view')],
  ['/view-booked', members, at('/view-booked')],
  ['/view-dash', members, at('/view-dash')],
  ['/view-templates', providers, at('/view-templates')],
  ['/details/:id', consumers, ({ open }) => `/details/${open.id}`],
  ['/details-provider/:id', owner, ({ booked }) => `/details-provider/${booked.id}`],
  ['/view-provider/:id', owner, ({ booked }) => `/view-provider/${booked.id}`],
  ['/details-cancel/:id', consumers, ({ booked }) => `/details-cancel/${booked.id}`],
  ['/details-template/:id', owner, ({ template }) => `/details-template/${template}`],
  ['/party/:id', everyone, ({ party }) => `/party/${party.id}`],
  ['/create-party', providers, at('/create-party')],
  ['/view-parties', providers, at('/view-parties')],
  ['/view-party/:id', owner, ({ party }) => `/view-party/${party.id}`],
  ['/edit-party/:id', owner, ({ party }) => `/edit-party/${party.id}`],
  ['/manage-meetup/:id', owner, ({ meetup }) => `/manage-meetup/${meetup.id}`],
  ['/meetup-rsvp/:id', everyone, ({ meetup }) => `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`],
  ['/view-meetups', providers, at('/view-meetups')],
];

/** What the product has beside them. */
export const more: Screen[] = [
  ['/view-open', providers, at('/view-open')],
  ['/edit-template/:id', owner, ({ template }) => `/edit-template/${template}`],
  ['/invitations', members, at('/invitations')],
  ['/appointments/:id/daybook.ics', [302, 200, 200, 404], ({ booked }) => `/appointments/${booked.id}/daybook.ics`],
  ['/party/:id/daybook.ics', everyone, ({ party }) => `/party/${party.id}/daybook.ics`],
  ['/meetup-rsvp/:id/daybook.ics', everyone, ({ meetup }) => `/meetup-rsvp/${linkOf(meetup, 'Ada').id}/daybook.ics`],
  ['/view-party/:id/guests.csv', owner, ({ party }) => `/view-party/${party.id}/guests.csv`],
  ['/manage-meetup/:id/attendees.csv', owner, ({ meetup }) => `/manage-meetup/${meetup.id}/attendees.csv`],
  ['/api', everyone, at('/api')],
];

/** A file to download, not a page. */
export const isFile = (path: string) => /\.(ics|csv)$/.test(path);
