import { createHash } from 'node:crypto';
import { fold, sortKey, withoutAccents } from '../../app/domain/input/fold';

/** The number of each; a benchmark varies only `slots`. */
export type WorldSize = {
  slots: number;
  providers: number;
  cities: number;
  /** Providers and consumers together. */
  accounts: number;
  /** RSVPs to parties and names of meetups, together. */
  invitations: number;
  /** Parties to come without capacity and without answers. */
  openParties: number;
};

/** The world of the benchmark with so many slots. */
export const worldOf = (slots: number): WorldSize => ({
  slots,
  providers: 2_000,
  cities: 200,
  accounts: 100_000,
  invitations: 50_000,
  openParties: 200,
});

/** A world that is made in a second or two, for tests. */
export const smallWorld: WorldSize = {
  slots: 1_000,
  providers: 50,
  cities: 10,
  accounts: 200,
  invitations: 100,
  openParties: 5,
};

/** Everybody's password. */
export const password = 'Correct horse 1';

/** The rich provider and the rich consumer, each number 0, have enough for a full page of every list. */
export const rich = {
  provider: { open: 60, booked: 60, canceled: 30, past: 40 },
  consumer: { booked: 45, canceled: 30, past: 45 },
  events: 26,
  templates: 25,
  /** The provider's days, counted from today, on which every hour is open: three of them fill the list of times. */
  fullDays: [2, 3, 4],
};

type Noun = 'account' | 'slot' | 'party' | 'invitation' | 'template' | 'service' | 'publication';

/** The id of the nth: opaque, of the length of real ones and as scattered in the index, but known without a query. */
export const idOf = (noun: Noun, n: number): string =>
  createHash('sha256').update(`${noun} ${n}`).digest('base64url').slice(0, 22);

/** Accounts are numbered providers first. */
export const providerId = (provider: number) => idOf('account', provider);
export const consumerId = ({ providers }: WorldSize, consumer: number) => idOf('account', providers + consumer);
export const providerName = (provider: number) => `provider-${String(provider + 1).padStart(4, '0')}`;
export const consumerName = (consumer: number) => `consumer-${String(consumer + 1).padStart(5, '0')}`;

const zones = [
  'Europe/Lisbon',
  'Europe/Oslo',
  'America/Toronto',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'America/Los_Angeles',
  'Asia/Tokyo',
  'Australia/Adelaide',
  'America/Sao_Paulo',
  'Africa/Nairobi',
];
const stems = 'Alder Birch Cedar Dover Elm Fern Gull Hazel Iris Juniper Kestrel Lark Moss North Oak'.split(' ');
const endings = 'ford haven ton bridge field mouth stead wick dale port burgh minster leigh worth cliff'.split(' ');
const firstNames = 'Ada Ben Chiara Dag Elif Farid Grace Hana Inês José Kofi Lena Maja Nuno Olga Priya Quinn Rui'.split(
  ' ',
);
const lastNames =
  'Abara Berg Costa Dube Eriksen Fontes Gupta Haugen Ito Jansen Kaur Lund Mora Novak Okafor Pires'.split(' ');
const trades = 'Barber,Dental Care,Physiotherapy,Yoga,Tax Advice,Bike Repair,Singing Lessons,Vets,Counsel'.split(',');

const pick = (list: string[], n: number): string => list[n % list.length] as string;

/** The name of the nth city; beyond the 225 that have one of their own, with a number. */
export function cityName(city: number): string {
  const round = Math.floor(city / (stems.length * endings.length));
  const name = pick(stems, city) + pick(endings, Math.floor(city / stems.length));
  return round === 0 ? name : `${name} ${round + 1}`;
}
export const cityOf = ({ cities }: WorldSize, provider: number) => provider % cities;
export const zoneOf = (city: number) => pick(zones, city);
export const personName = (n: number) =>
  `${pick(firstNames, n)} ${pick(lastNames, Math.floor(n / firstNames.length))}${n < 288 ? '' : ` ${n}`}`;

/** Every account, providers first: id, username, folded, display name, plain, sort key, role, time zone, folded city. */
export function* accountRows(size: WorldSize): Generator<(string | null)[]> {
  const row = (id: string, username: string, shown: string, ...more: (string | null)[]) => [
    ...[id, username, fold(username), shown, withoutAccents(shown), sortKey(shown)],
    ...more,
  ];
  for (let provider = 0; provider < size.providers; provider += 1) {
    const city = cityOf(size, provider);
    const shown = `${pick(lastNames, provider)} ${pick(trades, Math.floor(provider / lastNames.length))} ${provider + 1}`;
    const place = fold(cityName(city));
    yield row(providerId(provider), providerName(provider), shown, 'Provider', zoneOf(city), place);
  }
  for (let consumer = 0; consumer < size.accounts - size.providers; consumer += 1) {
    const [id, zone] = [consumerId(size, consumer), zoneOf(consumer)];
    yield row(id, consumerName(consumer), personName(consumer), 'Consumer', zone, null);
  }
}

/** One provider in ten has templates. */
export function templatesOf(provider: number): number {
  if (provider === 0) return rich.templates;
  return provider % 10 === 0 ? 2 : 0;
}
/** The first provider's one service, which is not offered, because the page is measured without. */
export const serviceId = () => idOf('service', 0);

export const templateId = (provider: number, nth: number) => idOf('template', provider * 100 + nth);

/** A number from 0 to 1 (never 1) that looks random and is always the same for this n. */
export function chance(n: number): number {
  let mixed = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
