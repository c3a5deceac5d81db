import { type InputHTMLAttributes, useEffect, useId, useState } from 'react';
import { Button } from './Button';
import { useHasScript } from './script';

/** How long the button says so, in milliseconds. */
const copiedFor = 2000;

type Props = { label: string; value: string };

/** A link to pass on: selectable without script, copied by a click with it. */
export function CopyField({ label, value }: Props) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="flex flex-wrap gap-3">
        <Copyable
          value={value}
          id={id}
          className="min-h-12 min-w-0 flex-1 basis-60 rounded-md border-[1.5px] border-edge bg-paper px-3 text-base"
        />
      </div>
    </div>
  );
}

/** The same in a row of a list, which says how it looks. */
export function CopyLine({ label, value }: Props) {
  return (
    <div>
      <Copyable value={value} aria-label={label} />
    </div>
  );
}

function Copyable({ value, ...rest }: { value: string } & InputHTMLAttributes<HTMLInputElement>) {
  const hasScript = useHasScript();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), copiedFor);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <>
      <input {...rest} readOnly value={value} onFocus={({ currentTarget }) => currentTarget.select()} />
      {hasScript && (
        <Button
          quiet
          type="button"
          onClick={() =>
            navigator.clipboard.writeText(value).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }
        >
          <span aria-live="polite">{isCopied ? 'Copied!' : 'Copy link'}</span>
        </Button>
      )}
    </>
  );
}
