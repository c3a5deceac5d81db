import type * as z from 'zod/mini';
import type { templateJson } from '../../app/routes/api/shapes';
import { look, type Person, publication, publish, type Row } from './factories';
import type { ApiResponse } from './visit';

export type Answer = { question: string; answer: string };

/** A question for CreateTemplate and EditTemplate. */
export type Draft = {
  questionText?: string | null;
  questionType?: number | null;
  options?: string[] | null;
  required?: boolean | null;
};

/** A template as the API gives it. */
export type Template = z.output<typeof templateJson>;

export const multipleChoice = 0;
export const singleChoice = 1;
export const openEnded = 2;

/** One question alone, in a short response unless said otherwise. */
export const one = (details: Draft = {}): Draft[] => [{ questionText: 'How are you?', ...details }];

export const draft = (
  questionType: number,
  questionText: string,
  required: boolean,
  options: string[] | null = null,
) => ({
  questionText,
  questionType,
  options,
  required,
});

/** Six questions, two of each type, one of each required, in real words. */
export const intake = [
  draft(openEnded, 'What brings you here?', true),
  draft(singleChoice, 'Which side hurts?', true, ['Left', 'Right', 'Both sides']),
  draft(multipleChoice, 'What have you tried?', false, ['Rest', 'Ice & heat', 'Physio "at home"']),
  draft(singleChoice, 'Is it urgent?', false, ['Yes', 'No']),
  draft(multipleChoice, 'متى يؤلمك؟ Wann tut’s weh? 🦴', true, ['ÜBER NACHT', 'ΣΤΗΝ ΟΔΟΣ', 'مساءً', '走路时']),
  draft(openEnded, 'Anything else?', false),
] satisfies Draft[];

/** An answer to every question of the intake, in words that are hard to store. */
export const intakeAnswers: Answer[] = [
  { question: 'What brings you here?', answer: 'Knee | back,\nsince "Ωρα" – ألم شديد 🧑‍🦽' },
  { question: 'Which side hurts?', answer: 'Both sides' },
  { question: 'What have you tried?', answer: 'Rest|Physio "at home"' },
  { question: 'Is it urgent?', answer: 'No' },
  { question: 'متى يؤلمك؟ Wann tut’s weh? 🦴', answer: 'ÜBER NACHT|ΣΤΗΝ ΟΔΟΣ|مساءً' },
  { question: 'Anything else?', answer: '<b>No</b> & thanks' },
];

/** These answers as they are stored: choices in lower case. */
export const intakeStored: Answer[] = intakeAnswers.map(({ question, answer }, place) => ({
  question,
  answer: intake[place]?.questionType === openEnded ? answer : answer.toLowerCase(),
}));

export const createTemplate = (who: Person, questions: unknown = intake, name = 'Before we begin') =>
  who.api('POST', `/api/Checkin/CreateTemplate?${new URLSearchParams({ templateName: name })}`, questions);
export const editTemplate = (who: Person, id: string, questions: unknown, name = 'Before we begin') =>
  who.api('PUT', `/api/Checkin/EditTemplate?${new URLSearchParams({ id, templateName: name })}`, questions);
export const deleteTemplate = (who: Person, id: string) => who.api('DELETE', `/api/Checkin/DeleteTemplate?id=${id}`);
export const getTemplate = (who: Person, id: string) => who.api('GET', `/api/Checkin/Get?id=${id}`);
export const submitForm = (who: Person, { id }: { id: string }, answers: unknown) =>
  who.api('PUT', `/api/Checkin/SubmitForm?id=${id}`, answers);
export const bookWith = (who: Person, { id }: { id: string }, answers: unknown) =>
  who.api('PUT', `/api/Appointment/Book?id=${id}`, answers);
/** The answers of an appointment, as somebody reads them. */
export const formOf = async (who: Person, slot: { id: string }) => ((await look(who, slot)).json as Row).formData;

/** Publishes a template: the intake, unless said otherwise. */
export async function writeTemplate(provider: Person, questions: Draft[] = intake, name?: string): Promise<Template> {
  const response = await createTemplate(provider, questions, name);
  if (response.status !== 201) throw new Error(`No template was written: ${response.status} ${response.text}`);
  return response.json as Template;
}

export const templateIn = ({ json }: ApiResponse) => json as Template;
export const idOf = ({ template }: Template) => template.id;

/** The provider's templates, in the order of their list. */
export const templatesOf = async (provider: Person) =>
  (await provider.api('GET', '/api/Checkin/GetTemplates')).json as Template[];

/** Tries to publish a slot with a template, and returns the response. */
export const attach = (who: Person, templateId: string, details: object = {}) =>
  who.api('POST', `/api/Appointment/CreateAppointment?templateId=${templateId}`, publication(details));

/** Publishes one slot with a template, tomorrow at nine unless `details` say otherwise. */
export async function publishAsking(provider: Person, template: string, details: object = {}): Promise<Row> {
  const slots = await publish(provider, details, `templateId=${template}`);
  const slot = slots.find((row) => row.template === template);
  if (!slot) throw new Error('No slot that asks this template was published.');
  return slot;
}
