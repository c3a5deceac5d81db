import { useEffect, useId, useState } from 'react';
import { Button } from './Button';
import { useHasScript } from './script';

/** How long the button says so, in milliseconds. */
const copiedFor = 2000;

type Props = { label: string; isLabelHidden?: boolean; value: string };

/** A link to pass on: selectable without script, copied by a click with it. */
export function CopyField({ label, isLabelHidden, value }: Props) {
  const id = useId();
  const hasScript = useHasScript();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), copiedFor);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'font-semibold'}>
        {label}
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          id={id}
          readOnly
          value={value}
          onFocus={({ currentTarget }) => currentTarget.select()}
          className="min-h-12 min-w-0 flex-1 basis-60 rounded-md border-[1.5px] border-edge bg-paper px-3 text-base"
        />
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
      </div>
    </div>
  );
}
