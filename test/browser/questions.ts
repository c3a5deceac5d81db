import type { Page } from 'playwright-core';
import { type Draft, multipleChoice, openEnded, singleChoice } from '../support/template-factories';
import { press, untilGone, untilSeen } from './browser';

/* The page on which the questions of a template are written. */

const typeNames = {
  [openEnded]: 'Short Response',
  [multipleChoice]: 'Multiple Choice',
  [singleChoice]: 'Single Choice',
};

export const line = (page: Page, question: string) => page.locator('main ol > li').filter({ hasText: question });
export const listed = (page: Page) => page.locator('main ol > li p:first-child').allInnerTexts();
export const choiceField = (page: Page, place: number) => page.getByLabel(`Choice ${place}`, { exact: true });
export const choicesOf = (page: Page) =>
  page.getByLabel(/^Choice \d+$/).evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

/** Opens the dialog and fills a question in. */
export async function fillQuestion(
  page: Page,
  { questionText, questionType, options, required }: Draft,
): Promise<void> {
  await press(page, 'Add new question');
  await page.getByLabel('Field name').fill(questionText ?? '');
  const type = typeNames[(questionType ?? openEnded) as keyof typeof typeNames];
  await page.getByRole('radio', { name: type, exact: true }).check();
  if (required) await page.getByLabel('Must be answered').check();
  for (const [place, option] of (options ?? []).entries()) {
    if (place > 1) await press(page, 'Add a choice');
    await choiceField(page, place + 1).fill(option);
  }
}

export async function addQuestion(page: Page, draft: Draft): Promise<void> {
  await fillQuestion(page, draft);
  await press(page, 'Add question');
  await untilSeen(line(page, draft.questionText ?? 'Default Question'));
  await untilGone(page.getByLabel('Field name'));
}
