import { words as text } from './forms';
import { type Draft, openEnded, type Template } from './template-factories';
import type { Fields, Page } from './visit';

/** The questions that are listed on the page of a template being written, each with its type and choices. */
export const listed = (page: Page) =>
  page.$$('main ol > li').map((line) => line.querySelectorAll('p').map((words) => text(words.text)));

/** The fields of the dialog in which a question is written. */
export const fieldsOf = ({ questionText, questionType, options, required }: Draft): Fields => ({
  'question-text': questionText ?? '',
  'question-type': String(questionType ?? openEnded),
  ...(options && { 'question-choice': options }),
  'question-required': required ?? false,
});

/** Writes a question through the dialog of a page, with as many choices as it has. */
export async function addQuestion(page: Page, draft: Draft): Promise<Page> {
  let writing = await page.submit('Add new question');
  for (let choices = 2; choices < (draft.options?.length ?? 0); choices++) {
    writing = await writing.submit('Add a choice', fieldsOf(draft));
  }
  return writing.submit('Add question', fieldsOf(draft));
}

/** Templates without their ids and the like. */
export const kept = (templates: Template[]) =>
  templates.map(({ template, questions }) => ({
    name: template.displayName,
    questions: questions.map(({ questionText, questionType, options, required }) => ({
      questionText,
      questionType,
      options,
      required,
    })),
  }));
