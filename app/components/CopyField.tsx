import { useLingui } from '@lingui/react/macro';
import { type InputHTMLAttributes, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button';
import { useDirection } from './forms/Field';
import { useHasScript } from './frame/script';

const copiedFor = 2000;

type Props = {
  label: string;
  value: string;
  words?: string;
};

export function CopyField({ label, value, words }: Props) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="flex flex-wrap gap-3">
        <Copyable
          value={value}
          words={words}
          id={id}
          className="min-h-12 min-w-0 flex-1 basis-48 rounded-md border-[1.5px] border-edge bg-paper px-3 text-base"
        />
      </div>
    </div>
  );
}

export function CopyLine({ label, value }: Props) {
  return (
    <div>
      <Copyable value={value} of={label} aria-label={label} />
    </div>
  );
}

type CopyableProps = Pick<Props, 'value' | 'words'> & { of?: string } & InputHTMLAttributes<HTMLInputElement>;
function Copyable({ value, words, of, ...rest }: CopyableProps) {
  const { t } = useLingui();
  // Browsers offer no clipboard to a page over plain http.
  const canCopy = useHasScript() && navigator.clipboard !== undefined;
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), copiedFor);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <>
      <input
        ref={field}
        {...useDirection({ type: 'url' })}
        {...rest}
        readOnly
        value={value}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      {canCopy && (
        <Button
          quiet
          type="button"
          onClick={() =>
            navigator.clipboard.writeText(value).then(
              () => setCopied(true),
              // The browser refused to copy: focus selects the text, so that the reader can copy it.
              () => field.current?.focus(),
            )
          }
        >
          <span className="relative">
            <span aria-live="polite">{isCopied ? t`Copied!` : (words ?? t`Copy link`)}</span>
            {of && <span className="sr-only">: {of}</span>}
          </span>
        </Button>
      )}
    </>
  );
}
