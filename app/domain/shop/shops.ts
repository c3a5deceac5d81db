import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { email, fault, requiredText, seenName } from '../input/fields';
import { limits } from '../input/limits';
import { credentials, profileChange, providerProfile, withUsername } from '../profile/accounts';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';

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

export type Shop = {
  username: string;
  displayName: string;
  location: string;
  address: string | null;
  phone: string | null;
  description: string | null;
  timeZone: string;
  people: Colleague[];
};

const { location, description, address, phone } = providerProfile.shape;
const displayName = seenName(msg`Name of the shop`, limits.displayName);

export const shopOpening = z.object({
  username: withUsername.shape.username,
  displayName,
  location,
  address,
  phone,
  description: z.optional(description),
});
export type ShopOpening = z.output<typeof shopOpening>;

const changeable = profileChange.shape;
/** A change of the shop's page. What is left out stays. */
export const shopChange = z.object({
  displayName: z.optional(displayName),
  location: changeable.location,
  address: changeable.address,
  phone: changeable.phone,
  description: changeable.description,
});
export type ShopChange = z.output<typeof shopChange>;

const role = z.enum(shopRoles, fault(msg`Choose a role: owner, desk or colleague.`));
export const colleagueName = z.object({ username: requiredText(msg`Username`) });
export const colleagueChange = z.object({
  role: z.optional(role),
  takes: z.optional(z.boolean(fault(msg`Taking appointments must be true or false.`))),
});
export type ColleagueChange = z.output<typeof colleagueChange>;

export const shopOrder = z.array(requiredText(msg`Username`)).check(z.maxLength(mostPeople));

export const shopInvitation = z.object({ role, email: z.optional(email) });
export const invitationId = z.object({ id: requiredText(msg`Invitation`) });
export const joiningKey = z.object({ key: requiredText(msg`Key`) });

export const shopClosing = z.object({ password: credentials.shape.password });

export type ShopInvitation = { id: string; role: ShopRole; email: string | null; madeAt: Instant; until: Instant };
