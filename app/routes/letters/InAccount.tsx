import { Trans } from '@lingui/react/macro';
import { Button, TextLink } from '../../components/Button';
import { PostForm } from '../../components/forms/Form';
import { useShell } from '../../components/frame/shell';
import * as paths from '../../paths';

type Props = {
  /** The account that has it; null for a guest. */
  username: string | null;
  letter: string;
  /** Where the account shows it. */
  own: string;
};

/** Offers to move what a letter shows from its guest to the reader's account, or leads to a login that comes back. */
export function InAccount({ username, letter, own }: Props) {
  const { reader } = useShell();
  if (username !== null) {
    return reader && reader.username === username ? (
      <p>
        <Trans>
          It is in your account: <TextLink to={own}>see it there</TextLink>
        </Trans>
      </p>
    ) : null;
  }
  if (reader?.role === 'Provider') return null;
  if (reader && !reader.isGuest) {
    return (
      <PostForm action={letter}>
        <Button quiet name="intent" value="keep">
          <Trans>Keep this in my account</Trans>
        </Button>
      </PostForm>
    );
  }
  return (
    <p className="text-sm">
      <Trans>
        To keep this in your account, <TextLink to={paths.login({ to: letter })}>log in</TextLink> or{' '}
        <TextLink to={paths.register({ to: letter })}>register</TextLink>.
      </Trans>
    </p>
  );
}
