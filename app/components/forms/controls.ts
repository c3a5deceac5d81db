// What a reader typed is what differs from a control's own default. The page brings the defaults, and a response new
// ones, so it doesn't matter when somebody types: before the scripts come, while a form is sent, or afterwards.

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A control that was changed, by its name and its place among those with the same name, and its value. */
type Change = { id: string; value: string };

/** What was typed into a form, and the one-time key of a form that was sent, so that it has one effect if it is sent again. */
export type TypedForm = { changes: Change[]; once?: string };

const isTicked = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio';

// PasswordField marks its inputs, because a shown password has the type of a text.
export const passwordInputs = (form: HTMLFormElement) =>
  form.querySelectorAll<HTMLInputElement>('[type=password], [data-password]');

/** The field of a code that opens an account. */
export const codeField = 'code';

// What opens an account is kept in no tab.
const isSecret = (control: Control) => control.matches(`[type=password], [data-password], [name=${codeField}]`);

/** The controls in which somebody can type or choose. */
const controlsOf = (form: HTMLFormElement) =>
  ([...form.elements] as Control[]).filter(
    (element) =>
      (element instanceof HTMLInputElement && !['hidden', 'submit', 'button', 'file'].includes(element.type)) ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement,
  );

const defaultIndex = ({ options, multiple }: HTMLSelectElement) => {
  const index = [...options].findLastIndex(({ defaultSelected }) => defaultSelected);
  return index < 0 && !multiple ? 0 : index;
};

const withLineFeeds = (text: string) => text.replaceAll(/\r\n?/g, '\n');

function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) return control.selectedIndex !== defaultIndex(control);
  if (isTicked(control)) return control.checked !== control.defaultChecked;
  return withLineFeeds(control.value) !== withLineFeeds(control.defaultValue);
}

declare global {
  interface Window {
    /** The controls of this document into which somebody has typed, or chosen what was chosen at first. */
    typedInto?: WeakSet<EventTarget>;
  }
}

/** A script of the page's head, which notes them before any other script has come. Markup would escape other quotes. */
export const noteTypedInto =
  'typedInto=new WeakSet;document.addEventListener(`input`,function(event){typedInto.add(event.target)})';

const typedInto = (): WeakSet<EventTarget> => {
  window.typedInto ??= new WeakSet();
  return window.typedInto;
};

export const isTypedInto = (control: Control): boolean => typedInto().has(control);

/**
 * Sets a default. It moves what the control shows, but not what somebody has typed or chosen.
 * @param before the default that it had
 */
export function setDefault(control: Control, text: string, before: string): void {
  if (!(control instanceof HTMLSelectElement)) {
    // React writes the default of a new document's text area as its value, and that no longer follows the default.
    const follows = !isTypedInto(control) && withLineFeeds(control.value) === withLineFeeds(before);
    control.defaultValue = text;
    if (follows) control.value = text;
    return;
  }
  const chosen = isTypedInto(control) || isChanged(control) ? control.selectedIndex : undefined;
  for (const option of control.options) option.defaultSelected = option.value === text;
  control.selectedIndex = chosen ?? defaultIndex(control);
}

const stateOf = (control: Control) => (isTicked(control) ? String(control.checked) : control.value);

function setValue(control: Control, value: string): void {
  if (isTicked(control)) control.checked = value === 'true';
  else if (!(control instanceof HTMLSelectElement)) control.value = value;
  else if ([...control.options].some((option) => option.value === value)) {
    control.value = value;
    typedInto().add(control);
  }
}

const onceInput = (form: HTMLFormElement) => form.querySelector<HTMLInputElement>('[name=once]');

/** Names each control: boxes by their value too, because the month of a calendar has others. */
function byId(form: HTMLFormElement): Map<string, Control> {
  const named = new Map<string, Control>();
  const counts = new Map<string, number>();
  for (const control of controlsOf(form)) {
    const name = isTicked(control) ? `${control.name}=${control.value}` : control.name;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    named.set(`${name} ${count}`, control);
  }
  return named;
}

/**
 * What was typed into a form, without passwords and codes. A form that was sent may get other defaults, so what was typed back since to
 * the present ones counts too.
 * @param sent what it was sent with, while its response is on its way
 */
export function typedIn(form: HTMLFormElement, sent: Sent | undefined): TypedForm {
  const changes = [...byId(form)]
    .filter(([, control]) => control.name !== '' && !isSecret(control))
    .filter(([, control]) => isChanged(control) || (sent && isTypedSince(control, sent)))
    .map(([id, control]) => ({ id, value: stateOf(control) }));
  return sent ? { changes, once: onceInput(form)?.value } : { changes };
}

const isOfGroup = (control: Control, group: Set<string>) => control.type === 'radio' && group.has(control.name);

/** Writes into a form what was typed before, and unfolds it, but for controls in which somebody has typed since. */
export function writeTyped(form: HTMLFormElement, { changes, once }: TypedForm): void {
  const input = onceInput(form);
  if (input && once) input.value = once;
  const controls = byId(form);
  // A browser that fills in a form again leaves a select blank whose choice is not in it yet.
  const isTouched = (control: Control) =>
    isTypedInto(control) || (!(control instanceof HTMLSelectElement) && isChanged(control));
  const touched = new Set([...controls.values()].filter(isTouched));
  const chosen = new Set([...touched].filter(({ type }) => type === 'radio').map(({ name }) => name));
  for (const { id, value } of changes) {
    const control = controls.get(id);
    if (!control || touched.has(control) || isOfGroup(control, chosen)) continue;
    setValue(control, value);
    for (let fold = control.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
  }
}

/** What the controls had when the form was sent. */
export type Sent = Map<Control, string>;

export const sentOf = (form: HTMLFormElement): Sent =>
  new Map(controlsOf(form).map((control) => [control, stateOf(control)]));

const isTypedSince = (control: Control, sent: Sent) =>
  sent.has(control) ? sent.get(control) !== stateOf(control) : isChanged(control);

export const hasTypedSince = (form: HTMLFormElement, sent: Sent) =>
  controlsOf(form).some((control) => isTypedSince(control, sent));

/**
 * Shows what a response brought, but for what somebody typed after they sent the form. Whoever types on has the cursor where it was,
 * and what they have selected.
 */
export function startAfresh(form: HTMLFormElement, sent: Sent): void {
  const typedSince = controlsOf(form)
    .filter((control) => isTypedSince(control, sent))
    .map((control) => [control, stateOf(control), selectionOf(control)] as const);
  form.reset();
  for (const control of controlsOf(form)) typedInto().delete(control);
  for (const [control, value, selection] of typedSince) {
    setValue(control, value);
    if (selection && control === document.activeElement && !(control instanceof HTMLSelectElement))
      control.setSelectionRange(...selection);
  }
}

type Selection = [start: number, end: number, direction?: 'forward' | 'backward' | 'none'];

/** What is selected in a control; undefined in one that has no text, or hides it, as those of numbers and addresses do. */
function selectionOf(control: Control): Selection | undefined {
  if (control instanceof HTMLSelectElement) return undefined;
  const { selectionStart, selectionEnd, selectionDirection } = control;
  if (selectionStart === null || selectionEnd === null) return undefined;
  return [selectionStart, selectionEnd, selectionDirection ?? undefined];
}

// What was typed into text areas before React took over the page, which would show their defaults again.
const early = new Map<HTMLTextAreaElement, string>();

function noteEarly(area: EventTarget | null): void {
  if (area instanceof HTMLTextAreaElement && isChanged(area)) early.set(area, area.value);
}

const onEarlyInput = ({ target }: Event) => noteEarly(target);

/** Begins to note what is typed, before React takes over. */
export function watchControls(): void {
  for (const area of document.querySelectorAll('textarea')) noteEarly(area);
  document.addEventListener('input', onEarlyInput);
}

/** Writes what was typed early into its text areas again, once React has taken over. */
export function restoreTextAreas(): void {
  document.removeEventListener('input', onEarlyInput);
  for (const [area, text] of early) if (!isChanged(area)) area.value = text;
  early.clear();
}

// The form into which somebody has gone since one was sent.
let typing: HTMLFormElement | undefined;

export const noteTyping = ({ currentTarget }: { currentTarget: HTMLFormElement }): void => {
  typing = currentTarget;
};

export const noteSending = (): void => {
  typing = undefined;
};

/** True while somebody types, so that a response must not take the focus from them. */
export const isTyping = (): boolean =>
  typing !== undefined &&
  document.activeElement?.matches('input, textarea, select') === true &&
  (document.activeElement as Control).form === typing;
