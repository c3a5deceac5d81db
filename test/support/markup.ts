import { HtmlValidate } from 'html-validate';
import type { Page } from './visit';

const rules = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });

/** What is wrong with the markup of a page, each fault a line. */
export const markupFaultsOf = async (page: Page) =>
  (await rules.validateString(page.text)).results.flatMap(({ messages }) =>
    messages.map(({ message, selector }) => `${message} (${selector})`),
  );
