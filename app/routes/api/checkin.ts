import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { appointmentId } from '../../domain/bookings/appointments';
import { submitAnswers } from '../../domain/bookings/book.server';
import { requiredText } from '../../domain/input/fields';
import { answerList } from '../../domain/templates/answers';
import { questionList, templateName } from '../../domain/templates/templates';
import {
  createTemplate,
  deleteTemplate,
  editTemplate,
  getTemplate,
  listTemplates,
} from '../../domain/templates/templates.server';
import { call, callHandlers } from '../../http/api.server';
import { appointmentJson, appointmentShape, templateJson, templateShape } from './shapes';

const templateId = z.object({ id: requiredText(msg`Id`) });

export const loader = callHandlers('Checkin', {
  GetTemplates: call({
    method: 'GET',
    who: 'Provider',
    says: 'Your templates.',
    response: z.array(templateJson),
    run: async ({ db, actor }) => (await listTemplates(db, actor)).map(templateShape),
  }),

  CreateTemplate: call({
    method: 'POST',
    who: 'Provider',
    says: 'Publishes a template of check-in questions.',
    query: z.object({ templateName }),
    body: questionList,
    isLarge: true,
    response: templateJson,
    status: 201,
    async run({ db, actor, now }, { query, body, key }) {
      const draft = { displayName: query.templateName, questions: body };
      return templateShape(await createTemplate(db, actor, draft, { now, key }));
    },
  }),

  Get: call({
    method: 'GET',
    who: 'member',
    says: 'One template, in any version ever published.',
    query: templateId,
    response: templateJson,
    refuses: ['not_found'],
    run: async ({ db }, { query }) => templateShape(await getTemplate(db, query.id)),
  }),

  EditTemplate: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Publishes a new version of a template in the place of the old one.',
    query: z.extend(templateId, { templateName }),
    body: questionList,
    isLarge: true,
    response: templateJson,
    refuses: ['not_found'],
    async run({ db, actor, now }, { query, body }) {
      const draft = { displayName: query.templateName, questions: body };
      return templateShape(await editTemplate(db, actor, query.id, draft, now));
    },
  }),

  DeleteTemplate: call({
    method: 'DELETE',
    who: 'Provider',
    says: 'Takes a template out of your lists.',
    query: templateId,
    refuses: ['not_found'],
    status: 204,
    run: ({ db, actor, now }, { query }) => deleteTemplate(db, actor, query.id, now),
  }),

  SubmitForm: call({
    method: 'PUT',
    who: 'member',
    says: 'Sets the answers to the questions of an appointment you booked.',
    query: appointmentId,
    body: answerList,
    isLarge: true,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run({ db, actor, now, links }, { query: { id }, body }) {
      return appointmentShape(links)(await submitAnswers(db, actor, { id, submitted: () => body }, now));
    },
  }),
});
export const action = loader;
