import type { HTMLElement } from 'node-html-parser';

/** A person's input: text, the chosen value or values, true or false for a single checkbox. */
export type Fields = Record<string, string | string[] | boolean>;

const buttonSelector = 'button, input[type=submit]';

/**
 * The form that is sent, and the button that sends it. `target` is a button's words or a selector of a button or a form;
 * of a form without a named button the first one counts, as when Enter is pressed.
 */
export function findForm(root: HTMLElement, target: string): { form: HTMLElement; button: HTMLElement | undefined } {
  const named = root
    .querySelectorAll(buttonSelector)
    .filter((button) => isSubmit(button) && wordsOf(button) === target);
  if (named.length > 1) throw new Error(`${named.length} buttons say "${target}": name one by a selector.`);
  const element = named[0] ?? bySelector(root, target);
  if (!element) {
    const there = root.querySelectorAll(buttonSelector).map((button) => `"${wordsOf(button)}"`);
    throw new Error(`No button says "${target}" and no selector finds it; the page has ${there.join(', ') || 'none'}.`);
  }
  if (element.localName === 'form') {
    const button = elementsOf(root, element).find((candidate) => isSubmit(candidate) && !isDisabled(candidate));
    return { form: element, button };
  }
  if (isDisabled(element)) throw new Error(`The button "${target}" is disabled.`);
  const form = formOf(root, element);
  if (!form) throw new Error(`"${target}" belongs to no form.`);
  return { form, button: element };
}

/** The element of a selector; null for words, which may hold anything. */
export function bySelector(root: HTMLElement, target: string): HTMLElement | null {
  return /[#.[>]|^(main|form|button|input|a)\b/.test(target) ? root.querySelector(target) : null;
}

/**
 * The pairs that a browser without script sends: the values in the markup, changed by `fields`, and the button.
 * @throws Error if a person couldn't do that: no such field, no such choice, hidden, read-only
 */
export function entriesOf(
  root: HTMLElement,
  form: HTMLElement,
  button: HTMLElement | undefined,
  fields: Fields,
): [string, string][] {
  const elements = elementsOf(root, form).filter((element) => !isDisabled(element));
  for (const name of Object.keys(fields)) checkField(elements, name, fields[name] ?? '');
  const typedFor = new Map<string, number>();
  const entries = elements.flatMap((element): [string, string][] => {
    const name = element.getAttribute('name');
    if (!name || (isButton(element) && element !== button)) return [];
    const values = element === button ? [element.getAttribute('value') ?? ''] : valuesOf(element, fields[name], name);
    return values.map((value) => [name, value]);
  });
  return entries.map(([name, value]) => [name, value.replace(/\r\n|\r|\n/g, '\r\n')]);

  function valuesOf(element: HTMLElement, given: Fields[string] | undefined, name: string): string[] {
    const type = typeOf(element);
    if (type === 'checkbox' || type === 'radio') {
      const value = element.getAttribute('value') ?? 'on';
      return isChosen(given, value, element.hasAttribute('checked')) ? [value] : [];
    }
    if (element.localName === 'select') return selected(element, given);
    if (given === undefined || type === 'hidden') return [currentText(element)];
    if (!Array.isArray(given)) return [String(given)];
    const next = typedFor.get(name) ?? 0;
    typedFor.set(name, next + 1);
    return [given[next] ?? currentText(element)];
  }
}

function isChosen(given: Fields[string] | undefined, value: string, current: boolean): boolean {
  if (given === undefined) return current;
  if (typeof given === 'boolean') return given;
  return Array.isArray(given) ? given.includes(value) : given === value;
}

function selected(select: HTMLElement, given: Fields[string] | undefined): string[] {
  const options = select.querySelectorAll('option').filter((option) => !option.hasAttribute('disabled'));
  if (given !== undefined) return options.map(optionValue).filter((value) => isChosen(given, value, false));
  const marked = options.filter((option) => option.hasAttribute('selected')).map(optionValue);
  if (select.hasAttribute('multiple')) return marked;
  return [marked.at(-1) ?? (options[0] && optionValue(options[0]))].filter((value) => value !== undefined);
}

function checkField(elements: HTMLElement[], name: string, given: Fields[string]): void {
  const same = elements.filter((element) => element.getAttribute('name') === name && !isButton(element));
  const editable = same.filter((element) => typeOf(element) !== 'hidden' && !element.hasAttribute('readonly'));
  if (same.length === 0) {
    const names = new Set(elements.map((element) => element.getAttribute('name')).filter(Boolean));
    throw new Error(`The form has no field "${name}"; it has ${[...names].join(', ')}.`);
  }
  if (editable.length === 0)
    throw new Error(`A person can't change "${name}": it is hidden or read-only. Post it instead.`);
  const choices = editable.flatMap((element) => {
    if (['checkbox', 'radio'].includes(typeOf(element))) return [element.getAttribute('value') ?? 'on'];
    return element.localName === 'select' ? element.querySelectorAll('option').map(optionValue) : [];
  });
  const isTyped = editable.some((element) => !['checkbox', 'radio', 'select'].includes(typeOf(element)));
  const unknown =
    isTyped || typeof given === 'boolean' ? [] : [given].flat().filter((value) => !choices.includes(value));
  if (unknown.length > 0) throw new Error(`"${name}" has no choice "${unknown[0]}"; it has ${choices.join(', ')}.`);
}

function elementsOf(root: HTMLElement, form: HTMLElement): HTMLElement[] {
  return root
    .querySelectorAll('input, select, textarea, button')
    .filter(
      (element) => !element.closest('template') && !element.closest('datalist') && formOf(root, element) === form,
    );
}

function formOf(root: HTMLElement, element: HTMLElement): HTMLElement | null {
  const id = element.getAttribute('form');
  return id === undefined ? element.closest('form') : root.getElementById(id);
}

/** Disabled itself, or by a fieldset around it, except in the fieldset's legend. */
function isDisabled(element: HTMLElement): boolean {
  if (element.hasAttribute('disabled')) return true;
  const fieldset = element.closest('fieldset[disabled]');
  return fieldset !== null && !element.closest('legend');
}

function typeOf(element: HTMLElement): string {
  if (element.localName !== 'input') return element.localName;
  return element.getAttribute('type')?.toLowerCase() ?? 'text';
}

function isSubmit(element: HTMLElement): boolean {
  if (element.localName === 'button') return (element.getAttribute('type')?.toLowerCase() ?? 'submit') === 'submit';
  return typeOf(element) === 'submit';
}

function isButton(element: HTMLElement): boolean {
  return ['button', 'submit', 'reset', 'image', 'file'].includes(typeOf(element));
}

function currentText(element: HTMLElement): string {
  return element.localName === 'textarea' ? element.text.replace(/^\r?\n/, '') : (element.getAttribute('value') ?? '');
}

function optionValue(option: HTMLElement): string {
  return option.getAttribute('value') ?? words(option.text);
}

function wordsOf(element: HTMLElement): string {
  const label = element.getAttribute('aria-label');
  return label ?? words(element.localName === 'input' ? (element.getAttribute('value') ?? '') : element.text);
}

/** Text as it is read: runs of white space are one space, and no text is none. */
export function words(text = ''): string {
  return text.replace(/\s+/g, ' ').trim();
}
