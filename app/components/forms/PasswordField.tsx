import { Trans, useLingui } from '@lingui/react/macro';
import { type ComponentProps, useState } from 'react';
import { useHasScript } from '../frame/script';
import { TextField } from './Field';

type Props = Omit<ComponentProps<typeof TextField>, 'type'> & { is?: 'current' | 'new' };

export function PasswordField({ is, help, ...props }: Props) {
  const [isShown, setShown] = useState(false);
  const hasScript = useHasScript();
  // A page that comes with a refusal has no password in it; where scripts send the form, what was typed stays.
  const [isGone] = useState(props.refused !== undefined);
  return (
    <div className="grid gap-1.5">
      <TextField
        {...props}
        help={
          isGone ? (
            <>
              {help} <Trans>Type it once more.</Trans>
            </>
          ) : (
            help
          )
        }
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
          {is === 'current' ? (
            <Trans>Show current password</Trans>
          ) : is === 'new' ? (
            <Trans>Show new password</Trans>
          ) : (
            <Trans>Show password</Trans>
          )}
        </label>
      )}
    </div>
  );
}

type CurrentProps = Pick<ComponentProps<typeof TextField>, 'refused' | 'help'>;

export function CurrentPassword(props: CurrentProps) {
  const { t } = useLingui();
  return (
    <PasswordField
      name="password"
      label={t`Current password`}
      autoComplete="current-password"
      required
      is="current"
      {...props}
    />
  );
}
