import { Trans, useLingui } from '@lingui/react/macro';
import * as paths from '../../paths';

const link = 'inline-flex min-h-11 items-center underline-offset-4 hover:underline';

/** What a stranger has instead of the menu: a few links at the end of the page's head. */
export function WaysIn() {
  const { t } = useLingui();
  return (
    <nav aria-label={t`Main`} className="flex flex-wrap items-center gap-x-5 text-sm">
      <a href={paths.home()} className={link}>
        <Trans>Home</Trans>
      </a>
      <a href={paths.login()} className={link}>
        <Trans>Login</Trans>
      </a>
      <a href={paths.register()} className={`${link} font-semibold`}>
        <Trans>Register</Trans>
      </a>
    </nav>
  );
}
