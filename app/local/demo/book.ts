import type { D1Database } from '@cloudflare/workers-types';
import { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { bookAppointment, cancelAppointment } from '../../domain/bookings/book.server';
import { bookAsGuest } from '../../domain/bookings/book-as-guest.server';
import { bookFor, walkInOf } from '../../domain/bookings/walk-ins.server';
import { type Links, linksBy } from '../../domain/links.server';
import { hashPassword, type Passwords, verifyPassword } from '../../domain/login/passwords.server';
import type { Actor, Role } from '../../domain/profile/accounts';
import { registerAccount } from '../../domain/profile/accounts.server';
import type { ServiceInput } from '../../domain/services/service-input';
import { createService } from '../../domain/services/services.server';
import { listOwnOpenSlots } from '../../domain/slots/own-open-slots.server';
import { publishSlots } from '../../domain/slots/publish.server';
import { type Answer, type Question, questionType } from '../../domain/templates/questions';
import type { TemplateDraft } from '../../domain/templates/templates';
import { createTemplate } from '../../domain/templates/templates.server';
import { addDays, day, type Instant, type LocalDate, weekdayOf } from '../../domain/time/clock';
import { todayIn } from '../../domain/time/zones';
import { seedEvents } from './events';

/* A small believable world around today. The domain's own functions make it, so it obeys all rules. */

const password = 'Sunflower-42';

type Provider = {
  username: string;
  displayName: string;
  location: string;
  timeZone: string;
  description: string;
  /** Slots on these weekdays (0 is Sunday), in this range and of this length. */
  week: number[];
  hours: [start: string, end: string];
  len: number;
  notes?: string;
  asks?: TemplateDraft;
  offers?: (Pick<ServiceInput, 'name' | 'minutes'> & Partial<ServiceInput>)[];
  classAt?: string;
};

const { openEnded, singleChoice, multipleChoice } = questionType;
const firstVisit: TemplateDraft = {
  displayName: 'First visit',
  questions: [
    { questionText: 'Have you been here before?', questionType: singleChoice, options: ['Yes', 'No'], required: true },
    { questionText: 'What brings you here?', questionType: openEnded, options: null, required: true },
    {
      questionText: 'Do you have any of these?',
      questionType: multipleChoice,
      options: ['Asthma', 'Diabetes', 'High blood pressure', 'An allergy'],
      required: false,
    },
  ],
};
const bike: TemplateDraft = {
  displayName: 'Your bike',
  questions: [
    {
      questionText: 'What kind of bike?',
      questionType: singleChoice,
      options: ['City', 'Road', 'Mountain', 'Cargo'],
      required: true,
    },
    {
      questionText: 'What should we look at?',
      questionType: multipleChoice,
      options: ['Brakes', 'Gears', 'Wheels', 'Winter tires'],
      required: true,
    },
    { questionText: 'Anything else?', questionType: openEnded, options: null, required: false },
  ],
};

const workdays = [1, 2, 3, 4, 5];

const providers: Provider[] = [
  {
    username: 'atelier.sousa',
    displayName: 'Atelier Sousa',
    location: 'Lisbon',
    timeZone: 'Europe/Lisbon',
    description: 'Haircuts and beards in Bica since 1987. Walk in on Fridays, book for the rest.',
    week: [2, 3, 4, 5, 6],
    hours: ['09:00', '17:00'],
    len: 30,
    notes: 'Second door on the left, ring twice.',
    offers: [
      { name: 'Haircut', minutes: 30, price: '22 €' },
      { name: 'Beard', minutes: 30, price: '14 €', description: 'Hot towel included.' },
      { name: 'Colour and cut', minutes: 90, price: '65 €', description: 'Come with dry hair.' },
    ],
  },
  {
    username: 'dr.diallo',
    displayName: 'Dr. Amara Diallo',
    location: 'Lisbon',
    timeZone: 'Europe/Lisbon',
    description: 'General practice. English, French and Portuguese.',
    week: workdays,
    hours: ['08:30', '12:30'],
    len: 15,
    notes: 'Bring your insurance card.',
    asks: firstVisit,
    offers: [
      { name: 'Visit', minutes: 15 },
      { name: 'First visit', minutes: 60, description: 'We take the time to get to know you.' },
    ],
  },
  {
    username: 'clara.fado',
    displayName: 'Clara Nunes, singing lessons',
    location: 'Lisbon',
    timeZone: 'Europe/Lisbon',
    description: 'Fado and breath. First lesson to see whether we get on.',
    week: [1, 3, 5],
    hours: ['15:00', '20:00'],
    len: 60,
  },
  {
    username: 'fjordfysio',
    displayName: 'Fjord Fysioterapi',
    location: 'Oslo',
    timeZone: 'Europe/Oslo',
    description: 'Backs, knees and runners. Ten minutes from the station.',
    week: workdays,
    hours: ['08:00', '16:00'],
    len: 45,
    notes: 'Bring a towel.',
  },
  {
    username: 'ingrid.tax',
    displayName: 'Ingrid Haugen, tax advice',
    location: 'Oslo',
    timeZone: 'Europe/Oslo',
    description: 'Moving to or from Norway? One hour saves a year.',
    week: [2, 4],
    hours: ['10:00', '15:00'],
    len: 60,
  },
  {
    username: 'maple.dental',
    displayName: 'Maple Dental',
    location: 'Toronto',
    timeZone: 'America/Toronto',
    description: 'Check-ups without the lecture.',
    week: workdays,
    hours: ['09:00', '17:00'],
    len: 30,
  },
  {
    username: 'queenstreet.bikes',
    displayName: 'Queen Street Bikes',
    location: 'Toronto',
    timeZone: 'America/Toronto',
    description: 'Tune-ups while you wait. Winter tires from November.',
    week: [3, 4, 5, 6],
    hours: ['11:00', '18:00'],
    len: 20,
    notes: 'Please bring the bike clean.',
    asks: bike,
  },
  {
    username: 'asha.yoga',
    displayName: 'Asha Rao, yoga',
    location: 'Bengaluru',
    timeZone: 'Asia/Kolkata',
    description: 'Early mornings for one in Indiranagar or on your screen, evenings for eight.',
    week: [1, 2, 3, 4, 5, 6],
    hours: ['06:00', '10:00'],
    len: 60,
    offers: [{ name: 'Evening class', minutes: 75, seats: 8, price: '₹400', description: 'Mats are there.' }],
    classAt: '18:30',
  },
  {
    username: 'kaveri.legal',
    displayName: 'Kaveri Legal',
    location: 'Bengaluru',
    timeZone: 'Asia/Kolkata',
    description: 'Leases, wills and company papers. The first talk is free.',
    week: workdays,
    hours: ['10:30', '17:30'],
    len: 30,
  },
  {
    username: 'harbour.vets',
    displayName: 'Harbour Vets',
    location: 'Auckland',
    timeZone: 'Pacific/Auckland',
    description: 'Cats, dogs and the odd parrot.',
    week: [1, 2, 3, 4, 5, 6],
    hours: ['08:00', '13:00'],
    len: 20,
    notes: 'Cats in a carrier, please.',
  },
  {
    username: 'kiri.counsel',
    displayName: 'Kiri Walker, counselling',
    location: 'Auckland',
    timeZone: 'Pacific/Auckland',
    description: 'Fifty minutes that are yours.',
    week: [2, 3, 4],
    hours: ['12:00', '18:00'],
    len: 50,
  },
  {
    username: 'mirador.tours',
    displayName: 'Mirador Walks',
    location: 'Lisbon',
    timeZone: 'Europe/Lisbon',
    description: 'The seven hills with someone who was born on one.',
    week: [0, 6],
    hours: ['09:30', '18:30'],
    len: 90,
  },
];

const consumers = [
  { username: 'maya', displayName: 'Maya Lindqvist', timeZone: 'Europe/Oslo' },
  { username: 'tomas', displayName: 'Tomás Reis', timeZone: 'Europe/Lisbon' },
  { username: 'june', displayName: 'June Okafor', timeZone: 'America/Toronto' },
  { username: 'ravi', displayName: 'Ravi Menon', timeZone: 'Asia/Kolkata' },
  { username: 'hana', displayName: 'Hana Paki', timeZone: 'Pacific/Auckland' },
];

export const demoLogins: { username: string; password: string; role: Role; what: string }[] = [
  {
    username: 'atelier.sousa',
    password,
    role: 'Provider',
    what: 'Atelier Sousa, a barber in Lisbon, with a party and a meetup',
  },
  { username: 'asha.yoga', password, role: 'Provider', what: 'Asha Rao, yoga in Bengaluru' },
  { username: 'dr.diallo', password, role: 'Provider', what: 'Dr. Amara Diallo, who asks questions first' },
  { username: 'maya', password, role: 'Consumer', what: 'Maya Lindqvist, who reads in Oslo time' },
  { username: 'tomas', password, role: 'Consumer', what: 'Tomás Reis' },
];

function workingDays(from: LocalDate, week: number[]): LocalDate[] {
  return Array.from({ length: 45 }, (_, ahead) => addDays(from, ahead)).filter((date) =>
    week.includes(weekdayOf(date)),
  );
}

/**
 * Fills an empty database with the demo world around `now`.
 * @param pepper the secret with which the Worker will check passwords
 */
export async function seed({ d1, pepper, now }: { d1: D1Database; pepper: string; now: Instant }): Promise<void> {
  const db = new Db(d1, 'first-primary');
  const registeredAt = now - 14 * day;
  // All have one password, and a hash takes a tenth of a second.
  const hash = hashPassword(password, pepper);
  const passwords: Passwords = {
    hash: () => hash,
    verify: (word, stored) => verifyPassword(word, stored, pepper),
  };
  const register = async (person: { username: string; displayName: string; timeZone: string; role: Role }) => {
    const once = { now: registeredAt, edgeZone: null, origin: null, key: `demo:${person.username}` };
    return (await registerAccount(db, passwords, { ...person, password, email: null }, once)).actor;
  };
  const hosts = await Promise.all(providers.map((provider) => register({ ...provider, role: 'Provider' })));
  const bookers = await Promise.all(consumers.map((consumer) => register({ ...consumer, role: 'Consumer' })));

  // At once: each provider's own things wait for each other, and for nobody else's.
  await Promise.all(
    providers.map((provider, place) =>
      open(db, provider, hosts[place] as Actor, { registeredAt, now, bookers, place }),
    ),
  );
  await bookGuests(db, hosts[0] as Actor, linksBy(pepper), now);
  await seedEvents({ db, host: hosts[0] as Actor, invitees: bookers, now });
}

type Opening = { registeredAt: Instant; now: Instant; bookers: Actor[]; place: number };

/** Publishes a provider's services and times, and books some. */
async function open(db: Db, provider: Provider, host: Actor, { registeredAt, now, bookers, place }: Opening) {
  const { hours, len, week, notes = null } = provider;
  const dates = workingDays(todayIn(provider.timeZone, registeredAt), week);
  const [start, end] = hours;
  const once = { now: registeredAt, key: 'demo' };
  const template = provider.asks && (await createTemplate(db, host, provider.asks, once));
  await publishSlots(db, host, { start, end, dates, len, notes, templateId: template?.id ?? null }, once);
  for (const [nth, offer] of (provider.offers ?? []).entries()) {
    const input = { gap: 0, price: null, description: null, seats: 1, templateId: null, isOffered: true, ...offer };
    const { id: serviceId } = await createService(db, host, input, { now: registeredAt, key: `demo:${nth}` });
    if (!provider.classAt || input.seats === 1) continue;
    const times = { start: provider.classAt, end: '19:45', dates, len: null, notes, templateId: null, serviceId };
    await publishSlots(db, host, times, { now: registeredAt, key: `demo:class:${nth}` });
  }
  await bookSome(db, host, bookers, place, { past: registeredAt, ahead: now });
}

const plausible = (questions: Question[]): Answer[] =>
  questions.map(({ questionText, options }) => ({
    question: questionText,
    answer: options?.[0] ?? 'Nothing special, just a check before winter.',
  }));

async function bookSome(
  db: Db,
  host: Actor,
  bookers: Actor[],
  place: number,
  times: { past: Instant; ahead: Instant },
) {
  for (const [when, now] of Object.entries(times)) {
    const { rows } = await listOwnOpenSlots(db, host, 0, now);
    // A third of the first twenty slots, so that each day has free and taken times.
    const chosen = rows.filter((_, index) => index % 3 === place % 3);
    for (const [index, { id }] of chosen.entries()) {
      const booker = bookers[(place + index) % bookers.length] as Actor;
      // In a class a booking has an id of its own.
      const booked = await bookAppointment(db, booker, { id, submitted: plausible }, now);
      if (index === 1) await cancelAppointment(db, booker, { id: booked.id, reason: null }, now);
      if (index === 3 && when === 'ahead')
        await cancelAppointment(db, host, { id: booked.id, reason: 'I am ill.' }, now);
    }
  }
}

async function bookGuests(db: Db, host: Actor, links: Links, now: Instant) {
  const [free, other] = (await listOwnOpenSlots(db, host, 1, now)).rows;
  if (!free || !other) throw new Error('The demo has too few open slots.');
  const guest = { slotId: free.id, edgeZone: host.timeZone, origin: null, submitted: plausible, link: links.make() };
  await bookAsGuest(
    db,
    { ...guest, id: newId(), sessionId: newId(), details: { displayName: 'Zoë Martins', email: 'zoe@example.org' } },
    now,
  );
  const caller = {
    id: other.id,
    key: 'demo',
    displayName: 'Senhor Albano',
    email: null,
    phone: '+351 21 342 1190',
    note: 'Hard of hearing: ring him.',
    submitted: null,
  };
  await bookFor(db, host, { id: other.id }, walkInOf(links, host, caller), now);
}
