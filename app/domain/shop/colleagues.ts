import { msg } from '@lingui/core/macro';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';
import type { HouseRules } from './house-rules';

// A shop is a name under which several providers are booked. It has a page and no login. Slots, bookings, hours, cards and
// calendars stay each colleague's own.

/** A colleague has their own book; the desk works in all books; an owner also says who belongs to the shop, and what it is. */
export const shopRoles = ['owner', 'desk', 'colleague'] as const;
export type ShopRole = (typeof shopRoles)[number];

export const shopRoleWords: Record<ShopRole, Words> = {
  owner: msg({ message: 'Owner', context: 'of a shop' }),
  desk: msg({ message: 'Desk', context: 'of a shop' }),
  colleague: msg({ message: 'Colleague', context: 'in a shop' }),
};

/** What somebody can do in a shop by their role, each a sentence. */
export const shopRoleMeanings: Record<ShopRole, Words> = {
  owner: msg`Works in the books of all, invites and removes people, and changes the page.`,
  desk: msg`Works in the books of all: appointments, times, hours, services and the cards of clients.`,
  colleague: msg`Works in their own book, and sees of the others only when they are free.`,
};

/** How many people a shop can have. */
export const mostPeople = 20;

export type Colleague = {
  username: string;
  displayName: string;
  role: ShopRole;
  takes: boolean; // whether they take appointments
  joinedAt: Instant;
};

/** Somebody who has left the shop, and is still with Daybook. */
export type FormerColleague = { username: string; displayName: string; leftAt: Instant };

export type Shop = {
  username: string;
  displayName: string;
  location: string;
  address: string | null;
  phone: string | null;
  description: string | null;
  timeZone: string;
  embedOn: string[]; // origins of sites that may show its page, and those of its people, in a frame
  rules: HouseRules;
  people: Colleague[];
};
