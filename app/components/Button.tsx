import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon } from './frame/Icon';

const shape =
  'pressable inline-flex min-h-12 items-center justify-center rounded-full border-[1.5px] px-6 py-2.5 text-center text-base leading-tight font-semibold no-underline disabled:opacity-55';
const looks = {
  main: `${shape} border-transparent bg-accent text-on-accent`,
  quiet: `${shape} border-edge bg-transparent text-ink hover:bg-wash`,
};

type Look = {
  quiet?: boolean;
  /** It deletes, cancels, removes or ends something: the name of its icon, or true on a letter, which loads none. */
  ends?: string | true;
  children: ReactNode;
};

const lookOf = ({ quiet, ends }: Pick<Look, 'quiet' | 'ends'>) => (ends ? 'ends' : quiet ? looks.quiet : looks.main);

/** Submits its form by default. `isText`: one of a row of quiet actions. */
export function Button({
  quiet,
  ends,
  isText,
  children,
  ...rest
}: Look & { isText?: boolean } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="submit" {...rest} className={isText ? 'act' : lookOf({ quiet, ends })}>
      {typeof ends === 'string' && <Icon name={ends} />}
      {children}
    </button>
  );
}

// A link to a file gets no script: the browser downloads it.
export function ButtonLink({
  to,
  quiet,
  ends,
  isFile,
  children,
  ...described
}: Look & { to: string; isFile?: boolean; 'aria-describedby'?: string }) {
  return (
    <a href={to} data-file={isFile} {...described} className={lookOf({ quiet, ends })}>
      {children}
    </a>
  );
}

/** Chooses a box of the form, where no script can. */
export const ButtonLabel = ({ htmlFor, children }: { htmlFor: string; children: ReactNode }) => (
  <label htmlFor={htmlFor} className={`cursor-pointer ${looks.quiet}`}>
    {children}
  </label>
);

/** A quiet action of a row: words with an icon. */
export const TextAction = ({
  to,
  icon,
  isFile,
  children,
}: {
  to: string;
  icon: string;
  isFile?: boolean;
  children: ReactNode;
}) => (
  <a href={to} data-file={isFile} className="act">
    <Icon name={icon} />
    {children}
  </a>
);

export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className="underline underline-offset-4">
      {children}
    </a>
  );
}
