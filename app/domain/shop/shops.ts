import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { email, fault, page, requiredText, seenName } from '../input/fields';
import { limits } from '../input/limits';
import type { WithheldMail } from '../mail/withheld-mail';
import { credentials, profileChange, providerProfile, withUsername } from '../profile/accounts';
import { sitesChange } from '../profile/rules';
import type { Instant } from '../time/clock';
import { mostPeople, type ShopRole, shopRoles } from './colleagues';

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
  embedOn: sitesChange.shape.embedOn,
});
export type ShopChange = z.output<typeof shopChange>;

const role = z.enum(shopRoles, fault(msg`Choose a role: owner, desk or colleague.`));
export const colleagueName = z.object({ username: requiredText(msg`Username`) });
export const formerPast = z.object({ ...colleagueName.shape, page });
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

export type ShopInvitation = {
  id: string;
  role: ShopRole;
  email: string | null;
  madeAt: Instant;
  until: Instant /** Why no mail goes out; null if one does, or none was asked for. */;
  withheld: WithheldMail | null;
};
