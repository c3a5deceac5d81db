import type { Message, Value } from '../domain/words/words';
import { messageIdOf } from './message-id';

/*
 * What `@lingui/core/macro` exports to code that nobody builds: scripts run by tsx, by the path in tsconfig.json. It takes the
 * same calls and gives the same messages, only in ICU that is not yet compiled. It has no `t`, because that one reads an i18n
 * which all readers would share.
 */

type Labeled<T> = Record<string, T>;
type Placeholder = Value | Labeled<Value>;
type Choices = { other: string; [form: string]: string };

/** Values of choices that a message contains, by their names. Read and emptied by the message that is made next. */
let chosen: Record<string, Value> = {};

const isLabeled = (value: unknown): value is Labeled<Value> =>
  typeof value === 'object' &&
  value !== null &&
  !('id' in value || 'clock' in value || 'list' in value) &&
  Object.keys(value).length === 1;

function choice(kind: string, value: Placeholder, choices: Record<string, string>): string {
  const [name, of] = isLabeled(value) ? (Object.entries(value)[0] as [string, Value]) : ['value', value];
  chosen[name] = of;
  const cases = Object.entries(choices).map(([key, text]) => `${/^\d/.test(key) ? '=' : ''}${key} {${text}}`);
  return `{${name}, ${kind}, ${cases.join(' ')}}`;
}

export const plural = (value: number | Labeled<number>, choices: Choices) => choice('plural', value, choices);
export const select = (value: string | Labeled<string>, choices: { other: string } & Record<string, string>) =>
  choice('select', value, choices);

type Described = { message: string; context?: string; comment?: string };

const isChoice = (value: unknown) => typeof value === 'string' && /^\{\w+, (plural|select), /.test(value);

/** Describes what people read: msg`${{ name }} is missing.` */
export function msg(texts: TemplateStringsArray | Described, ...placeholders: Placeholder[]): Message {
  const values = chosen;
  chosen = {};
  if (!Array.isArray(texts)) {
    const { message, context } = texts as Described;
    return { id: messageIdOf(message, context), message, values };
  }
  const parts = placeholders.map((placeholder, place) => {
    if (isChoice(placeholder)) return placeholder as string;
    const [name, value] = isLabeled(placeholder)
      ? (Object.entries(placeholder)[0] as [string, Value])
      : [String(place), placeholder];
    values[name] = value;
    return `{${name}}`;
  });
  const escaped = (texts as TemplateStringsArray).map((text) => text.replaceAll("'", "''"));
  const message = escaped.map((text, place) => text + (parts[place] ?? '')).join('');
  return { id: messageIdOf(message), message, values };
}
