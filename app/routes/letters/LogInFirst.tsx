import { Trans, useLingui } from '@lingui/react/macro';
import { Button, TextLink } from '../../components/Button';
import { TextField } from '../../components/forms/Field';
import { PostForm } from '../../components/forms/Form';
import * as paths from '../../paths';

type Props = {
  id: string;
  isFull: boolean;
  isMain: boolean; // false beside the form of guests
};

/**
 * The login on a party's own letter; both ways lead straight back to it. Where the party is full there is nothing to
 * register for, so it asks only those to log in who have answered.
 */
export function LogInFirst({ id, isFull, isMain }: Props) {
  const to = paths.party(id);
  const { t } = useLingui();
  return (
    <section aria-labelledby="log-in" className="no-print grid gap-4 text-start">
      <h3 id="log-in" className="text-lg">
        {isFull ? t`Log in to see or change your answer` : t`Log in to answer`}
      </h3>
      <PostForm action={paths.login({ to })} className="grid gap-4">
        <TextField name="username" label={t`Username`} autoComplete="username" autoCapitalize="none" required />
        <TextField name="password" type="password" label={t`Password`} autoComplete="current-password" required />
        <div className="flex flex-wrap items-center gap-4">
          <Button quiet={!isMain}>
            <Trans>Log in</Trans>
          </Button>
          {!isFull && (
            <span>
              <Trans>
                New here? <TextLink to={paths.register({ to })}>Register</TextLink>
              </Trans>
            </span>
          )}
        </div>
      </PostForm>
    </section>
  );
}
