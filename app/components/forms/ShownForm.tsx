import { Trans } from '@lingui/react/macro';

// Keeps robots out: a signed token, and a field that people neither see nor reach.
export const ShownForm = ({ token }: { token: string }) => (
  <>
    <input type="hidden" name="shown" value={token} />
    <div className="sr-only" aria-hidden="true">
      <label>
        <Trans>Leave this empty</Trans>
        <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  </>
);
