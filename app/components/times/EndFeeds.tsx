import { Trans } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';

export const EndFeeds = ({ refused }: { refused?: Refusal }) => (
  <label className="flex min-h-11 items-center gap-3">
    <input
      type="checkbox"
      name="endFeeds"
      value="true"
      defaultChecked={refused?.typed.endFeeds !== undefined}
      className="size-5 shrink-0 accent-accent"
    />
    <Trans>End my calendar links too: calendars that read them get nothing any more</Trans>
  </label>
);
