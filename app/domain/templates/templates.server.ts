import { msg } from '@lingui/core/macro';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { hasId } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { accounts, hours, services, slots, templates } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import { DomainError, notLoggedIn } from '../errors';
import { isLoggedIn } from '../login/sessions.server';
import { notFound } from '../not-found';
import { oneTimeKey } from '../one-time-keys.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import type { Question, Template } from './questions';
import type { QuestionDraft, TemplateDraft } from './templates';

const columns = {
  id: templates.id,
  displayName: templates.displayName,
  // Only providers own templates, and every provider has a username.
  provider: sql<string>`${accounts.username}`.as('provider'),
  questions: templates.questions,
  isCurrent: sql<boolean>`${templates.retiredAt} IS NULL`.mapWith(Boolean).as('is_current'),
};

export const selectTemplates = () =>
  orm.select(columns).from(templates).innerJoin(accounts, eq(accounts.id, templates.providerId));

const withIds = (questions: QuestionDraft[]): Question[] => questions.map((question) => ({ id: newId(), ...question }));

export const noSuchTemplate = () =>
  new DomainError('not_found', [{ field: 'templateId', message: msg`These questions are not there any more.` }]);

/** Whose questions the actor may ask: a shop has none, so those of whoever acts for it. */
const authorOf = ({ accountId, memberId, isShop }: Actor) => (isShop && memberId) || accountId;

/** SQL: the template is null or one of the actor's current ones. */
export const isCurrentTemplate = (actor: Actor, id: string | null) =>
  id === null
    ? sql`true`
    : sql`EXISTS (SELECT 1 FROM templates
        WHERE id = ${id} AND ${ownedBy(authorOf(actor))} AND retired_at IS NULL)`;

const current = statement<{ me: string }>()(({ me }) =>
  selectTemplates()
    .where(and(ownedBy(me, templates), isNull(templates.retiredAt)))
    .orderBy(asc(templates.listedAt), asc(templates.id)),
);

/** Lists the actor's current templates, by when each was first published. */
export async function listTemplates(db: Db, actor: Actor): Promise<Template[]> {
  const [rows] = await db.run(current({ me: actor.accountId }));
  return rows;
}

const currentNames = statement<{ me: string }>()(({ me }) =>
  orm
    .select({ id: templates.id, displayName: templates.displayName })
    .from(templates)
    .where(and(ownedBy(me, templates), isNull(templates.retiredAt)))
    .orderBy(asc(templates.listedAt), asc(templates.id)),
);

/** Lists the names of the actor's current templates, in the order of listTemplates. */
export async function listTemplateNames(db: Db, actor: Actor): Promise<Pick<Template, 'id' | 'displayName'>[]> {
  const [rows] = await db.run(currentNames({ me: authorOf(actor) }));
  return rows;
}

/** Lists template names for the page of an open slot; empty unless the slot is open and the actor's own. */
export async function listNamesForOpen(db: Db, actor: Actor, slotId: string) {
  const [rows] = await db.run(
    orm
      .select({ id: templates.id, displayName: templates.displayName })
      .from(slots)
      .crossJoin(templates)
      .where(
        and(
          sql`${hasId(slots, slotId)} AND ${isOpen(slots)} AND ${ownedBy(actor, slots)}`,
          and(eq(templates.providerId, slots.providerId), isNull(templates.retiredAt)),
        ),
      )
      .orderBy(asc(templates.listedAt), asc(templates.id)),
  );
  return rows;
}

/** Reads any published version of a template. @throws DomainError not_found */
export async function getTemplate(db: Db, id: string): Promise<Template> {
  const [[template]] = await db.run(selectTemplates().where(eq(templates.id, id)));
  if (!template) throw notFound('template');
  return template;
}

/** Reads a template of the actor's own, in any version. @throws DomainError not_found */
export async function getOwnTemplate(db: Db, actor: Actor, id: string): Promise<Template> {
  const [[template]] = await db.run(selectTemplates().where(and(eq(templates.id, id), ownedBy(actor, templates))));
  if (!template) throw notFound('template');
  return template;
}

/** What asks a template's questions from now on: services, and the times that hours publish. */
export type AskedBy = { services: string[]; hasHours: boolean };

/**
 * Reads a template of the actor's, and what would ask nothing without it.
 * @throws DomainError not_found
 */
export async function getTemplateWithUse(db: Db, actor: Actor, id: string): Promise<Template & { askedBy: AskedBy }> {
  const me = actor.accountId;
  const {
    found: [template],
    asking,
    asked,
  } = await db.run({
    found: selectTemplates().where(and(eq(templates.id, id), ownedBy(me, templates))),
    asking: orm
      .select({ name: services.name })
      .from(services)
      .where(
        and(
          sql`${services.providerId} IN (SELECT ${me} UNION ALL SELECT shop_id FROM colleagues WHERE account_id = ${me})`,
          eq(services.templateId, id),
        ),
      )
      .groupBy(services.id)
      .orderBy(asc(services.place), asc(services.id)),
    asked: orm
      .select({ templateId: hours.templateId })
      .from(hours)
      .where(and(ownedBy(me, hours), eq(hours.templateId, id))),
  });
  if (!template) throw notFound('template');
  return { ...template, askedBy: { services: asking.map(({ name }) => name), hasHours: asked.length > 0 } };
}

/**
 * Publishes a template. With the same key again it publishes nothing and returns the same template.
 * @throws DomainError unauthenticated
 */
export async function createTemplate(
  db: Db,
  actor: Actor,
  { displayName, questions }: TemplateDraft,
  { now, key }: { now: Instant; key: string },
): Promise<Template> {
  const once = oneTimeKey(`${actor.accountId}:CreateTemplate`, key, now);
  const id = newId();
  const {
    created: [created],
  } = await db.run({
    used: once.use(isLoggedIn(actor, now)),
    template: insertFrom(
      templates,
      {
        id,
        providerId: actor.accountId,
        displayName,
        questions: withIds(questions),
        listedAt: now,
        createdAt: now,
      },
      sql`WHERE ${once.isOurs}`,
    ),
    result: once.store(sql`json_quote(${id})`),
    created: selectTemplates().where(eq(templates.id, once.stored)),
  });
  if (!created) throw notLoggedIn();
  return created;
}

/**
 * Publishes a new version of a template, under a new id and in the old one's place. Slots and answers keep the old
 * version. With the same content again it returns the same version.
 * @throws DomainError not_found (not one of the actor's current templates)
 */
export async function editTemplate(
  db: Db,
  actor: Actor,
  id: string,
  { displayName, questions }: TemplateDraft,
  now: Instant,
): Promise<Template> {
  const {
    edited: [edited],
  } = await db.run({
    version: insertFrom(
      templates,
      {
        id: newId(),
        providerId: templates.providerId,
        displayName,
        questions: withIds(questions),
        listedAt: templates.listedAt,
        replaces: templates.id,
        createdAt: now,
      },
      sql`FROM templates
        WHERE id = ${id} AND ${ownedBy(actor)} AND retired_at IS NULL AND ${isLoggedIn(actor, now)}`,
    ),
    retired: retire(actor, id, now),
    edited: selectTemplates().where(and(eq(templates.replaces, id), ownedBy(actor, templates))),
  });
  if (!edited || !isSame(edited, { displayName, questions })) throw noSuchTemplate();
  return edited;
}

const wording = ({ displayName, questions }: TemplateDraft) =>
  JSON.stringify([
    displayName,
    questions.map(({ questionText, questionType, options, required }) => [
      questionText,
      questionType,
      options,
      required,
    ]),
  ]);
const isSame = (template: TemplateDraft, other: TemplateDraft) => wording(template) === wording(other);

const retire = (actor: Actor, id: string, now: Instant) =>
  orm
    .update(templates)
    .set({ retiredAt: now })
    .where(and(eq(templates.id, id), ownedBy(actor, templates), isNull(templates.retiredAt), isLoggedIn(actor, now)));

/**
 * Deletes a template. Slots and parties that have it still ask its questions. A repeat does no harm.
 * @throws DomainError not_found
 */
export async function deleteTemplate(db: Db, actor: Actor, id: string, now: Instant): Promise<void> {
  const {
    own: [own],
  } = await db.run({
    retired: retire(actor, id, now),
    own: orm
      .select({ id: templates.id })
      .from(templates)
      .where(and(eq(templates.id, id), ownedBy(actor, templates))),
  });
  if (!own) throw notFound('template');
}
