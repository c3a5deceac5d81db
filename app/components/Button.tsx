import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon } from './frame/Icon';

const shape =
  'pressable inline-flex min-h-12 items-center justify-center rounded-full border-[1.5px] px-6 py-2.5 text-center text-base leading-tight font-semibold no-underline disabled:opacity-55';
const looks = {
  main: `${shape} border-transparent bg-accent text-on-accent`,
  quiet: `${shape} border-edge bg-transparent text-ink hover:bg-wash`,
};

type Look = { quiet?: boolean; children: ReactNode };

/** Submits its form by default. `isText`: one of a row of quiet actions. */
export function Button({
  quiet,
  isText,
  children,
  ...rest
}: Look & { isText?: boolean } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="submit" {...rest} className={isText ? 'act' : quiet ? looks.quiet : looks.main}>
      {children}
    </button>
  );
}

// A link to a file gets no script: the browser downloads it.
export function ButtonLink({
  to,
  quiet,
  isFile,
  children,
  ...described
}: Look & { to: string; isFile?: boolean; 'aria-describedby'?: string }) {
  return (
    <a href={to} data-file={isFile} {...described} className={quiet ? looks.quiet : looks.main}>
      {children}
    </a>
  );
}

export function TextButton({ children, ...rest }: { children: ReactNode } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="submit"
      {...rest}
      className="min-h-11 rounded-sm px-2 text-sm font-semibold underline-offset-4 hover:underline"
    >
      {children}
    </button>
  );
}

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
