import * as z from 'zod/mini';
import { setHouseRules } from '../../domain/bookings/house-rules.server';
import { listPastOf } from '../../domain/bookings/past-in-shop.server';
import { handOver, handOverDays, leaving, type ToHandOver } from '../../domain/hand-over/hand-over';
import { handOverAppointments, previewHandOver } from '../../domain/hand-over/hand-over.server';
import { leaveWith } from '../../domain/hand-over/leave.server';
import { isMailed, isUntold } from '../../domain/messages/ways';
import { type FormerColleague, shopRoles } from '../../domain/shop/colleagues';
import { listFormer } from '../../domain/shop/former-colleagues.server';
import { type HouseRules, houseRules, houseRulesChange } from '../../domain/shop/house-rules';
import { invite, join, listInvitations, uninvite } from '../../domain/shop/joining.server';
import {
  colleagueChange,
  colleagueName,
  formerPast,
  invitationId,
  joiningKey,
  type ShopInvitation,
  shopChange,
  shopClosing,
  shopInvitation,
  shopOpening,
  shopOrder,
} from '../../domain/shop/shops';
import {
  closeShop,
  editShop,
  getShop,
  type OwnShop,
  openShop,
  orderPeople,
  setColleague,
} from '../../domain/shop/shops.server';
import { machineText } from '../../domain/time/clock';
import { call, callHandlers, paged } from '../../http/api.server';
import { originOf } from '../../http/login.server';
import * as paths from '../../paths';
import { remindersJson, rulesJson } from './account-shapes';
import { instant, named } from './shape-parts';
import { mailHeld, mailHeldShape, pastJson, pastShape } from './shapes';

const shapeOfRules = { ...rulesJson.shape, ...remindersJson.shape };
const houseRulesJson = named(
  'HouseRules',
  z.object(
    Object.fromEntries(houseRules.map((name) => [name, z.nullable(shapeOfRules[name])])),
  ) as unknown as z.ZodMiniType<HouseRules>,
);

const shopJson = named(
  'Shop',
  z.object({
    username: z.string(),
    displayName: z.string(),
    location: z.string(),
    address: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    description: z.nullable(z.string()),
    timeZone: z.string(),
    embedOn: z.optional(rulesJson.shape.embedOn).check(z.meta({ description: 'Where the shop names sites.' })),
    rules: houseRulesJson,
    people: z.array(
      named(
        'Colleague',
        z.object({
          username: z.string(),
          displayName: z.string(),
          role: z.enum(shopRoles),
          takes: z.boolean(),
          joinedAt: instant,
        }),
      ),
    ),
  }),
);

const shopShape = ({ id: _, role: __, people, embedOn, ...shop }: OwnShop): z.output<typeof shopJson> => ({
  ...shop,
  ...(embedOn.length > 0 && { embedOn }),
  people: people.map(({ joinedAt, ...one }) => ({ ...one, joinedAt: machineText(joinedAt) })),
});

const invitationJson = named(
  'ShopInvitation',
  z.object({
    id: z.string(),
    role: z.enum(shopRoles),
    email: z.nullable(z.string()),
    madeAt: instant,
    until: instant,
    ...mailHeld,
  }),
);

const invitationShape = ({ madeAt, until, withheld, ...rest }: ShopInvitation): z.output<typeof invitationJson> => ({
  ...rest,
  madeAt: machineText(madeAt),
  until: machineText(until),
  ...mailHeldShape(withheld),
});

const handedParts = {
  id: z.string(),
  startsAt: instant,
  endsAt: instant,
  client: z.string(),
  service: z.nullable(z.string()),
  asked: z.nullable(z.literal('anyone')),
  phone: z.nullable(z.string()),
  told: z.enum(['mail', 'news', 'call']),
};

const handedShape = ({ id, startsAt, endsAt, client, service, asked, phone, told }: Omit<ToHandOver, 'takers'>) => ({
  id,
  startsAt: machineText(startsAt),
  endsAt: machineText(endsAt),
  client,
  service,
  asked,
  phone,
  told: isMailed(told) ? ('mail' as const) : isUntold(told) ? ('call' as const) : ('news' as const),
});

const formerJson = named(
  'FormerColleague',
  z.object({ username: z.string(), displayName: z.string(), leftAt: instant }),
);

const formerShape = ({ leftAt, ...who }: FormerColleague): z.output<typeof formerJson> => ({
  ...who,
  leftAt: machineText(leftAt),
});

export const loader = callHandlers('Shop', {
  Open: call({
    method: 'POST',
    who: 'Provider',
    says: 'Opens a shop, with a username and a page and no login; the caller is its owner, and its clock is theirs.',
    body: shopOpening,
    response: shopJson,
    refuses: ['taken', 'conflict'],
    status: 201,
    run: async ({ db, actor, now }, { body, key }) => shopShape(await openShop(db, actor, body, { now, key })),
  }),

  Get: call({
    method: 'GET',
    who: 'Provider',
    says: "The caller's shop, and who belongs to it, in the order of its page.",
    response: shopJson,
    refuses: ['not_found'],
    run: async ({ db, actor }) => shopShape(await getShop(db, actor)),
  }),

  Edit: call({
    method: 'PUT',
    who: 'Provider',
    says: "Changes what is given of the shop's page, and the sites that may show it and the pages of its people in a frame. For owners.",
    body: shopChange,
    response: shopJson,
    refuses: ['not_found'],
    run: async (context, { body }) => shopShape(await editShop(context.db, context.actor, body, context)),
  }),

  Order: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Brings the people of the shop into the order of these usernames. For owners.',
    body: shopOrder,
    response: shopJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { body }) => shopShape(await orderPeople(db, actor, body, now)),
  }),

  SetColleague: call({
    method: 'PUT',
    who: 'Provider',
    keys: 'never',
    says: 'Says what somebody is in the shop, and whether they take appointments. For owners.',
    query: colleagueName,
    body: colleagueChange,
    response: shopJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now }, { query, body }) =>
      shopShape(await setColleague(db, actor, { ...query, ...body }, now)),
  }),

  SetRules: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Sets rules for all people of the shop, who cannot change them then; null leaves a rule to each again, as it was before. What is left out stays. For owners.',
    body: houseRulesChange,
    response: shopJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { body }) => shopShape(await setHouseRules(db, actor, body, now)),
  }),

  Close: call({
    method: 'DELETE',
    who: 'Provider',
    keys: 'never',
    says: 'Closes the shop in which nobody else is any more. For its owner.',
    body: shopClosing,
    refuses: ['not_found', 'conflict'],
    status: 204,
    async run(context, { body }) {
      const { db, passwords, actor, now } = context;
      await closeShop(db, passwords, actor, body, { now, origin: await originOf(context) });
    },
  }),

  Invite: call({
    method: 'POST',
    who: 'Provider',
    keys: 'never',
    says: 'Makes a link by which one provider joins the shop within 14 days, and mails it where an address is given. Sent again with its Idempotency-Key, it answers the same id and the same link; no other call shows the link. For owners.',
    body: shopInvitation,
    response: named('NewShopInvitation', z.extend(invitationJson, { link: z.string() })),
    refuses: ['not_found', 'conflict'],
    status: 201,
    async run({ db, links, actor, now }, { body, key: sentKey }) {
      const { key, ...made } = await invite(db, links, actor, body, { now, key: sentKey });
      return { ...invitationShape(made), link: paths.join(key) };
    },
  }),

  Invitations: call({
    method: 'GET',
    who: 'Provider',
    says: 'The open invitations to the shop, the oldest first. For owners.',
    response: z.array(invitationJson),
    refuses: ['not_found'],
    run: async ({ db, actor, now }) => (await listInvitations(db, actor, now)).map(invitationShape),
  }),

  Uninvite: call({
    method: 'DELETE',
    who: 'Provider',
    says: 'Takes an invitation to the shop back. For owners.',
    query: invitationId,
    refuses: ['not_found'],
    status: 204,
    run: ({ db, actor, now }, { query: { id } }) => uninvite(db, actor, id, now),
  }),

  Join: call({
    method: 'POST',
    who: 'Provider',
    says: 'Joins the shop that the key of a link is for, with the whole own book. The link is then used.',
    body: joiningKey,
    response: shopJson,
    refuses: ['not_found', 'conflict'],
    status: 201,
    run: async ({ db, actor, now }, { body }) => shopShape(await join(db, actor, body.key, now)),
  }),

  PreviewHandOver: call({
    method: 'POST',
    who: 'Provider',
    says: 'The coming appointments of a colleague on some days: who can take each over, the fairest first, and how its client is told. Who asked for the colleague by name comes first. For the desk and owners.',
    body: handOverDays,
    response: z.array(named('AppointmentToHandOver', z.object({ ...handedParts, takers: z.array(z.string()) }))),
    refuses: ['not_found'],
    run: async (context, { body }) =>
      (await previewHandOver(context.db, context.actor, body, context)).map(({ takers, ...row }) => ({
        ...handedShape(row),
        takers: takers.map(({ username }) => username),
      })),
  }),

  HandOver: call({
    method: 'POST',
    who: 'Provider',
    says: 'Hands exactly these appointments of a colleague over, each to whom it says, or none. Their clients get one message each, and may move or cancel until it begins. For the desk and owners.',
    body: handOver,
    response: z.array(named('HandedOverAppointment', z.object({ ...handedParts, to: z.string() }))),
    refuses: ['not_found', 'conflict'],
    run: async (context, { body }) =>
      (await handOverAppointments(context.db, context.actor, body, context)).map(({ to, ...row }) => ({
        ...handedShape(row),
        to: to.username,
      })),
  }),

  Leave: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Leaves the shop, with the whole own book. The coming appointments stay, unless they are to be handed over, each to the fairest who can take it, or canceled.',
    body: leaving,
    isBodyOptional: true,
    refuses: ['not_found', 'conflict'],
    status: 204,
    run: (context, { body }) => leaveWith(context.db, context.actor, { ...body }, context),
  }),

  Remove: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Takes somebody out of the shop; their book stays theirs. Of their coming appointments it is as with `Leave`. For owners.',
    query: colleagueName,
    body: leaving,
    isBodyOptional: true,
    refuses: ['not_found', 'conflict'],
    status: 204,
    run: (context, { query: { username }, body }) =>
      leaveWith(context.db, context.actor, { ...body, username }, context),
  }),

  GetFormer: call({
    method: 'GET',
    who: 'Provider',
    says: 'Who has left the shop and has not joined it again, whoever left last first. For the desk and owners.',
    response: z.array(formerJson),
    refuses: ['not_found'],
    run: async ({ db, actor }) => (await listFormer(db, actor)).map(formerShape),
  }),

  GetPast: call({
    method: 'GET',
    who: 'Provider',
    says: 'The appointments that somebody who has left had in the shop: booked there, and begun before they left, the latest first. Nothing else of their book. For the desk and owners.',
    query: formerPast,
    response: pastJson,
    isPaged: true,
    refuses: ['not_found'],
    run: async ({ db, actor }, { query }) => paged(await listPastOf(db, actor, query), pastShape),
  }),
});
export const action = loader;
