import type { D1Database } from '@cloudflare/workers-types';
import { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import type { Appointment } from '../../domain/bookings/appointments';
import { bookAppointment, cancelAppointment } from '../../domain/bookings/book.server';
import { bookAsNewGuest } from '../../domain/bookings/book-as-new-guest.server';
import { bookFor, walkInOf } from '../../domain/bookings/walk-ins.server';
import { setHours } from '../../domain/hours/hours.server';
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
import { addDays, day, hour, type Instant, type LocalDate, minute, weekdayOf } from '../../domain/time/clock';
import { type Span, todayIn } from '../../domain/time/zones';
import { seedEvents } from './events';
import { seedShop } from './shop';

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
  class?: { week: number[]; start: string; end: string };
  /** Keeps hours from now on, with this break, instead of publishing each day once. */
  pause?: [start: string, end: string];
  /** Who rings, besides the clients with accounts. */
  callers?: string[];
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
    hours: ['09:00', '17:30'],
    pause: ['13:00', '14:00'],
    len: 30,
    notes: 'Second door on the left, ring twice.',
    offers: [
      { name: 'Haircut', minutes: 30, price: '22 €' },
      { name: 'Colour and cut', minutes: 90, price: '65 €', description: 'Come with dry hair.' },
      { name: 'Beard', minutes: 30, price: '14 €', description: 'Hot towel included.' },
      { name: 'Shave class', minutes: 60, seats: 6, price: '18 €', description: 'Blades and towels are there.' },
    ],
    class: { week: [2, 4], start: '17:30', end: '18:30' },
    callers: ['Inês Duarte', 'Rui Costa', 'Beatriz Lopes', 'João Pinto', 'Marta Reis', 'Nuno Faria', 'Sofia Braga'],
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
    class: { week: [1, 2, 3, 4, 5, 6], start: '18:30', end: '19:45' },
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
  {
    username: 'duarte.guitarra',
    displayName: 'Duarte Pires, guitar',
    location: 'Lisbon',
    timeZone: 'Europe/Lisbon',
    description: 'Portuguese guitar, from the first chord on.',
    week: [1, 2, 3, 4, 5],
    hours: ['16:00', '20:00'],
    len: 60,
  },
  {
    username: 'teresa.bica',
    displayName: 'Teresa Moura',
    location: 'Lisbon',
    timeZone: 'Europe/Lisbon',
    description: 'At the desk of the Casa do Fado, and on stage at weekends.',
    week: [6],
    hours: ['15:00', '17:00'],
    len: 60,
  },
];

const school = {
  host: 'clara.fado',
  people: [
    { username: 'duarte.guitarra', role: 'colleague' as const, takes: true, price: '25 €' },
    { username: 'teresa.bica', role: 'desk' as const, takes: false },
  ],
};

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
  {
    username: 'clara.fado',
    password,
    role: 'Provider',
    what: 'Clara Nunes, who owns the Casa do Fado, a shop of three',
  },
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
    const once = {
      now: registeredAt,
      edgeZone: null,

      origin: null,
      key: `demo:${person.username}`,
    };
    return (await registerAccount(db, passwords, { ...person, password, email: null }, once)).actor;
  };
  const hosts = await Promise.all(providers.map((provider) => register({ ...provider, role: 'Provider' })));
  const bookers = await Promise.all(consumers.map((consumer) => register({ ...consumer, role: 'Consumer' })));

  // At once: each provider's own things wait for each other, and for nobody else's.
  const open = await Promise.all(
    providers.map((provider, place) => publish(db, provider, hosts[place] as Actor, registeredAt)),
  );
  const links = linksBy(pepper);
  const diary = new Diary(bookers);
  for (const [place, { callers = [] }] of providers.entries()) {
    const book = { db, host: hosts[place] as Actor, services: open[place] ?? [], callers, links, diary };
    await bookSome(book, registeredAt);
    // As of this morning, so that today has a past.
    await bookSome(book, now - 9 * hour);
  }
  await bookGuests(db, hosts[0] as Actor, links, now);
  await seedEvents({ db, host: hosts[0] as Actor, invitees: bookers, now });
  const actorOf = (username: string) => hosts[providers.findIndex((one) => one.username === username)] as Actor;
  const members = school.people.map((member) => ({ ...member, actor: actorOf(member.username) }));
  await seedShop({ db, links, host: actorOf(school.host), hostName: school.host, members, now });
}

type Service = { id: string; minutes: number };

/** Publishes a provider's services and times. @returns the services for one person */
async function publish(db: Db, provider: Provider, host: Actor, registeredAt: Instant): Promise<Service[]> {
  const { hours, pause, len, week, notes = null, offers = [] } = provider;
  const [start, end] = hours;
  const once = { now: registeredAt, key: 'demo' };
  const template = provider.asks && (await createTemplate(db, host, provider.asks, once));
  const common = { notes, templateId: template?.id ?? null };
  const dates = workingDays(todayIn(provider.timeZone, registeredAt), week);
  if (!pause) await publishSlots(db, host, { start, end, dates, len, ...common }, once);
  const services: Service[] = [];
  let classId = '';
  for (const [nth, offer] of offers.entries()) {
    const input = {
      gap: 0,
      price: null,
      deposit: null,
      description: null,
      seats: 1,
      templateId: null,
      isOffered: true,
      where: 'here' as const,
      link: null,
      ...offer,
    };
    const { id } = await createService(db, host, input, { now: registeredAt, key: `demo:${nth}` });
    if (input.seats === 1) services.push({ id, minutes: input.minutes });
    else classId = id;
  }
  const { class: lesson } = provider;
  if (pause) {
    const [pauseStart, pauseEnd] = pause;
    const days = week.flatMap((day) => [
      { day, start, end: pauseStart },
      { day, start: pauseEnd, end },
    ]);
    const lessons =
      lesson?.week.map((day) => ({ day, start: lesson.start, end: lesson.end, serviceId: classId })) ?? [];
    const plan = { hours: [...days, ...lessons], except: [], len, gap: 0, ahead: 56, ...common };
    await setHours(db, host, plan, registeredAt, 'demo');
  } else if (lesson) {
    const times = { start: lesson.start, end: lesson.end, dates, len: null, ...common, serviceId: classId };
    await publishSlots(db, host, times, { now: registeredAt, key: 'demo:class' });
  }
  return services;
}

const plausible = (questions: Question[]): Answer[] =>
  questions.map(({ questionText, options }) => ({
    question: questionText,
    answer: options?.[0] ?? 'Nothing special, just a check before winter.',
  }));

/** Who has time when: nobody is in two places at once. */
class Diary {
  readonly #clients: { actor: Actor; spans: Span[] }[];
  #asked = 0;

  constructor(actors: Actor[]) {
    this.#clients = actors.map((actor) => ({ actor, spans: [] }));
  }

  /** @returns somebody who has nothing else then, each in turn */
  whoHasTime({ startsAt, endsAt }: Span): Actor | undefined {
    this.#asked += 1;
    const inTurn = this.#clients.map((_, place) => this.#clients[(place + this.#asked) % this.#clients.length]);
    const client = inTurn.find((one) => !one?.spans.some((span) => span.startsAt < endsAt && startsAt < span.endsAt));
    client?.spans.push({ startsAt, endsAt });
    return client?.actor;
  }
}

type Book = { db: Db; host: Actor; services: Service[]; callers: string[]; links: Links; diary: Diary };

/** How many free times in a row from here, up to `most`, have no break between them. */
function freeInARow(rows: Span[], from: number, most: number): number {
  let row = 1;
  while (row < most && rows[from + row]?.startsAt === rows[from + row - 1]?.endsAt) row += 1;
  return row;
}

/**
 * Books the provider's next days. Who offers services has two visits and then a free time, and again; the others have
 * each third time booked. To a class come three.
 */
async function bookSome({ db, host, services, callers, links, diary }: Book, now: Instant): Promise<void> {
  const pages = await Promise.all([0, 1].map((page) => listOwnOpenSlots(db, host, page, now)));
  const rows = pages.flatMap((page) => page.rows);
  let [place, visit] = [0, 0];
  const bookClient = async ({ id, startsAt }: Appointment, endsAt: Instant, service: string | null) => {
    const client = diary.whoHasTime({ startsAt, endsAt });
    if (!client) return;
    const booked = await bookAppointment(db, client, { id, service, submitted: plausible }, now);
    if (visit === 9) await cancelAppointment(db, host, { id: booked.id, reason: 'I am ill.' }, now);
    if (visit === 12) await cancelAppointment(db, client, { id: booked.id, reason: null }, now);
  };
  for (; place < rows.length; visit += 1) {
    const row = rows[place] as Appointment;
    const length = row.endsAt - row.startsAt;
    const service = services[visit % 3];
    const needed = service ? Math.ceil((service.minutes * minute) / length) : 1;
    const isFree = (services.length > 0 ? visit % 3 === 2 : visit % 3 > 0) || freeInARow(rows, place, needed) < needed;
    const caller = visit % 3 === 1 ? callers[Math.floor(visit / 3) % callers.length] : undefined;
    if (row.service) for (let came = 0; came < 3; came += 1) await bookClient(row, row.endsAt, null);
    else if (!isFree && caller) await bookCaller({ db, host, links }, row.id, service?.id ?? null, caller, now);
    else if (!isFree) await bookClient(row, row.startsAt + needed * length, service?.id ?? null);
    place += isFree || row.service ? 1 : needed;
  }
}

/** Books for somebody who rings. */
function bookCaller(
  { db, host, links }: Pick<Book, 'db' | 'host' | 'links'>,
  id: string,
  service: string | null,
  displayName: string,
  now: Instant,
) {
  const caller = { id, key: 'demo', displayName, email: null, phone: null, note: null, submitted: null };
  return bookFor(db, host, { id, service }, walkInOf(links, host, caller), now);
}

async function bookGuests(db: Db, host: Actor, links: Links, now: Instant) {
  const [free, other] = (await listOwnOpenSlots(db, host, 1, now)).rows;
  if (!free || !other) throw new Error('The demo has too few open slots.');
  const guest = {
    wanted: { id: free.id },
    edgeZone: host.timeZone,
    origin: null,
    submitted: plausible,
  };
  await bookAsNewGuest(
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
