import type { Profile } from '../../domain/accounts';
import type { ProviderRow } from '../../domain/accounts.server';
import type { Appointment } from '../../domain/appointments';
import { localTimeOf, wireDate } from '../../domain/clock';
import type { Template } from '../../domain/questions';

/* What each noun looks like to a caller of the API, field by field. */

export const profileShape = ({ displayName, username, role, location, description, timeZone }: Profile) => ({
  displayName,
  username,
  role,
  location,
  description,
  timeZone,
});

export const providerShape = ({ username, displayName, location, description }: ProviderRow) => ({
  username,
  displayName,
  location,
  description,
});

export const appointmentShape = (row: Appointment) => ({
  id: row.id,
  provider: row.provider,
  providerName: row.providerName,
  startTime: localTimeOf(row.startsAt, row.timeZone),
  endTime: localTimeOf(row.endsAt, row.timeZone),
  date: wireDate(row.date),
  status: row.status,
  notes: row.notes,
  username: row.username,
  bookerName: row.bookerName,
  template: row.templateId,
  formData: row.answers,
  startsAt: new Date(row.startsAt).toISOString(),
  endsAt: new Date(row.endsAt).toISOString(),
  timeZone: row.timeZone,
});

/** A template and its questions, as `CreateTemplate`, `Get` and each entry of `GetTemplates` have them. */
export const templateShape = ({ id, displayName, provider, questions }: Template) => ({
  template: { id, displayName },
  questions: questions.map((question, order) => ({
    id: question.id,
    templateId: id,
    questionText: question.questionText,
    options: question.options,
    required: question.required,
    order,
    provider,
    questionType: question.questionType,
  })),
});
