import { msg } from '@lingui/core/macro';
import type { Words } from '../words/words';

/** Texts in characters, times in minutes. */
export const limits = {
  username: { min: 3, max: 32 },
  displayName: 80,
  location: 80,
  address: 200,
  description: 2000,
  email: 254,
  /** A file of people to import: 2 MiB. */
  table: 2 * 1024 * 1024,
  password: { min: 8, max: 128 },
  notes: 1000,
  /** People in one booking. */
  people: 10,
  /** Appointments of a series: each week of a year. */
  series: 53,
  /** Standing times of one person. */
  standing: 7,
  reason: 500,
  privateNote: 1000,
  keyName: 80,
  personNote: 2000,
  phone: { min: 3, max: 40 },
  template: { name: 500, questions: 50, options: 50, text: 500, all: 100_000 },
  answer: 2000,
  party: {
    title: 200,
    description: 5000,
    address: 500,
    /** Our longest link searches a map for the longest address, and a client may send that link back. */
    url: 8000,
    capacity: 100_000,
    plusOnes: 20,
    names: 500,
    name: 80,
  },
  // Rules: 30 days in minutes, ten years and three years in days, appointments of one person or of a day.
  ruleMinutes: 43_200,
  keepAnswersDays: 3650,
  horizonDays: 1095,
  perRule: 1000,
  /** Sites that may show a provider's page in a frame. */
  embedOn: 10,
  /** The longest name of a host, with https and a port. */
  site: 267,
  minutes: { min: 5, max: 1440, usual: 30 },
  dates: 366,
  slotsPerCall: 5000,
  openSlots: 10000,
  /** Characters of the link and of the account's name, as banks take it, by which deposits are paid. */
  payLink: 500,
  payName: 70,
  /** Ranges in one day. */
  ranges: 24,
  /** Other calendars of one provider. */
  busyFeeds: 5,
  busyFeed: { name: 80, url: 2000 },
  /** Webhooks of one provider. */
  webhooks: 3,
  webhookUrl: 2000,
  /** Services of one provider, characters of texts, minutes kept free, people for one time. */
  services: 30,
  service: { name: 80, price: 40, deposit: 40, description: 500, link: 2000, gap: 240, seats: 500 },
  /** Minutes between two slots, days ahead, and exceptions. */
  hours: { gap: 240, ahead: { max: 365, usual: 56 }, except: 366 },
};

export const pageSize = 20;

const { min } = limits.password;
/** It never changes, so it is no plural: to write a number in the reader's digits costs a browser 30 ms, the first time. */
export const passwordRule: Words = msg`At least ${min} characters, with one capital letter and one number.`;
