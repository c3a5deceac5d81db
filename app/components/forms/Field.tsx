import { useLingui } from '@lingui/react';
import { Trans } from '@lingui/react/macro';
import { type InputHTMLAttributes, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { Refusal, WordedFault } from '../../domain/errors';
import { isRightToLeft } from '../../domain/words/languages';
import { type Control, setDefault } from './controls';

const box =
  'min-h-12 w-full rounded-md border-[1.5px] border-edge bg-card px-3 py-2.5 text-base text-ink aria-invalid:border-accent';

// In a new document the browser moves the focus to the first fault, even without script. In a page that is already
// there, PostForm does. React must not handle `autofocus`, so it is in small letters.
export const focusFirst = { autofocus: '', 'data-first': '' };

export const fieldId = (name: string) => `field-${name}`;

/** The attributes that mark an input as wrong and link it to its faults. */
export function faultsOf(refused: Pick<Refusal, 'faults'> | undefined, name: string) {
  const faults = refused?.faults.filter(({ field }) => field === name) ?? [];
  const id = fieldId(name);
  const isWrong = faults.length > 0;
  const wiring = {
    id,
    'aria-describedby': isWrong ? `${id}-faults` : undefined,
    'aria-invalid': isWrong || undefined,
    ...(isWrong && refused?.faults[0] === faults[0] && focusFirst),
  };
  return { id, faults, wiring };
}

type Common = {
  name: string;
  label: string;
  help?: ReactNode;
  refused?: Refusal;
  isOptional?: boolean;
};

function fieldOf({ name, help, refused }: Common) {
  const { id, faults, wiring } = faultsOf(refused, name);
  const describedBy = [help && `${id}-help`, wiring['aria-describedby']].filter(Boolean).join(' ');
  return {
    id,
    faults,
    wiring: { ...wiring, name, 'aria-describedby': describedBy || undefined },
    typed: refused?.typed[name]?.[0],
  };
}

function Around({
  id,
  label,
  help,
  isOptional,
  faults,
  children,
}: Common & { id: string; faults: WordedFault[]; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
        {isOptional && (
          <span className="font-normal text-muted">
            {' '}
            <Trans>(optional)</Trans>
          </span>
        )}
      </label>
      {help && (
        <p id={`${id}-help`} className="text-sm text-muted">
          {help}
        </p>
      )}
      {children}
      <Faults id={`${id}-faults`} faults={faults} />
    </div>
  );
}

export function Faults({ id, faults }: { id: string; faults: WordedFault[] }) {
  if (faults.length === 0) return null;
  return (
    <ul id={id} data-faults="" className="grid gap-1 text-sm font-semibold text-accent">
      {faults.map(({ message }) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}

/** Keeps the default of a control as it would be in a new document: React leaves it behind in some. */
export function useDefault<Element extends Control>(
  value: string | number | readonly string[] | undefined,
): RefObject<Element> {
  const control = useRef<Element>(null);
  const text = String(value ?? '');
  const before = useRef(text);
  useEffect(() => {
    if (control.current) setDefault(control.current, text, before.current);
    before.current = text;
  }, [text]);
  return control;
}

// What is written from left to right in every language: an address, a number, a username, a code.
const plainTypes = ['email', 'tel', 'url', 'password'];
const plainNames = ['username', 'code'];

/** The direction of a field in a page that runs from right to left. */
export function useDirection({
  type = 'text',
  name = '',
  autoComplete = '',
}: Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'name' | 'autoComplete'>) {
  const { i18n } = useLingui();
  // A password that is shown has the type of a text.
  const isPlain = plainTypes.includes(type) || plainNames.includes(name) || autoComplete.endsWith('password');
  return isPlain && isRightToLeft(i18n.locale) ? { dir: 'ltr' } : {};
}

export function TextField(props: Common & InputHTMLAttributes<HTMLInputElement>) {
  const { name: _, label, help, refused: __, isOptional, ...rest } = props;
  const { wiring, typed, ...around } = fieldOf(props);
  const start = typed ?? rest.defaultValue;
  const input = useDefault<HTMLInputElement>(start);
  return (
    <Around {...around} name={props.name} label={label} help={help} isOptional={isOptional}>
      <input {...useDirection(props)} {...rest} {...wiring} ref={input} defaultValue={start} className={box} />
    </Around>
  );
}

export function TextArea(props: Common & { defaultValue?: string; maxLength: number; placeholder?: string }) {
  const { label, help, isOptional, defaultValue, maxLength, placeholder } = props;
  const { wiring, typed, ...around } = fieldOf(props);
  const start = typed ?? defaultValue;
  const area = useDefault<HTMLTextAreaElement>(start);
  return (
    <Around {...around} name={props.name} label={label} help={help} isOptional={isOptional}>
      <textarea
        {...wiring}
        ref={area}
        rows={4}
        maxLength={maxLength}
        placeholder={placeholder}
        defaultValue={start}
        className={box}
      />
    </Around>
  );
}

type SelectProps = Common & {
  defaultValue?: string;
  isNext?: boolean;
  children: ReactNode;
};

export function Select(props: SelectProps) {
  const { label, help, isOptional, defaultValue, isNext, children } = props;
  const { wiring, typed, ...around } = fieldOf(props);
  const chosen = typed ?? defaultValue;
  const select = useDefault<HTMLSelectElement>(chosen);
  return (
    <Around {...around} name={props.name} label={label} help={help} isOptional={isOptional}>
      <select ref={select} {...wiring} {...(isNext && focusFirst)} defaultValue={chosen} className={box}>
        {children}
      </select>
    </Around>
  );
}
