// What a reader typed is what differs from a control's own default. The page brings the defaults, and a response new
// ones, so it doesn't matter when somebody types: before the scripts come, while a form is sent, or afterwards.

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A control that was changed, by its name and its place among those with the same name, and its value. */
export type Change = { id: string; value: string };

const isTicked = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio';

// PasswordField marks its inputs, because a shown password has the type of a text.
export const passwordInputs = (form: HTMLFormElement) =>
  form.querySelectorAll<HTMLInputElement>('[type=password], [data-password]');

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

const stateOf = (control: Control) => (isTicked(control) ? String(control.checked) : control.value);

function setValue(control: Control, value: string): void {
  if (isTicked(control)) control.checked = value === 'true';
  else if (!(control instanceof HTMLSelectElement)) control.value = value;
  else if ([...control.options].some((option) => option.value === value)) control.value = value;
}

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

/** What was typed into a form, without passwords. */
export function changesIn(form: HTMLFormElement): Change[] {
  const passwords = new Set<Control>(passwordInputs(form));
  return [...byId(form)]
    .filter(([, control]) => control.name !== '' && isChanged(control) && !passwords.has(control))
    .map(([id, control]) => ({ id, value: stateOf(control) }));
}

const isOfGroup = (control: Control, group: Set<string>) => control.type === 'radio' && group.has(control.name);

/** Writes changes into a form again, and unfolds them, but for controls in which somebody has typed since. */
export function writeChanges(form: HTMLFormElement, changes: Change[]): void {
  const controls = byId(form);
  const touched = new Set([...controls.values()].filter(isChanged));
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

/** Shows what a response brought, but for what somebody typed after they sent the form. */
export function startAfresh(form: HTMLFormElement, sent: Sent): void {
  const typedSince = controlsOf(form)
    .filter((control) => isTypedSince(control, sent))
    .map((control) => [control, stateOf(control)] as const);
  form.reset();
  for (const [control, value] of typedSince) setValue(control, value);
}

// The form into which somebody has gone since one was sent.
let typedIn: HTMLFormElement | undefined;

export const noteTyping = ({ currentTarget }: { currentTarget: HTMLFormElement }): void => {
  typedIn = currentTarget;
};

export const noteSending = (): void => {
  typedIn = undefined;
};

/** True while somebody types, so that a response must not take the focus from them. */
export const isTyping = (): boolean =>
  typedIn !== undefined &&
  document.activeElement?.matches('input, textarea, select') === true &&
  (document.activeElement as Control).form === typedIn;
