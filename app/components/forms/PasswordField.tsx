import { type ComponentProps, useState } from 'react';
import { useHasScript } from '../frame/script';
import { TextField } from './Field';

export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type'>) {
  const [isShown, setShown] = useState(false);
  const hasScript = useHasScript();
  return (
    <div className="grid gap-1.5">
      <TextField
        {...props}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        data-password=""
      />
      {hasScript && (
        <label className="flex min-h-11 w-fit cursor-pointer items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={isShown}
            onChange={({ target }) => setShown(target.checked)}
            className="size-5 shrink-0 accent-accent"
          />
          Show {props.label.toLowerCase()}
        </label>
      )}
    </div>
  );
}

type CurrentProps = Pick<ComponentProps<typeof TextField>, 'refused' | 'help'>;

export const CurrentPassword = (props: CurrentProps) => (
  <PasswordField name="password" label="Current password" autoComplete="current-password" required {...props} />
);
