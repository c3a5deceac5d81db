import { Trans } from '@lingui/react/macro';

/**
 * Keeps robots out of a form that anybody may send, by a field that people neither see nor reach, and a signed token that says when the
 * form was shown. `checkForm` checks both.
 */
export const RobotGuard = ({ token }: { token: string }) => (
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
