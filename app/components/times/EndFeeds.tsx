import { Trans } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { Tick } from '../forms/Tick';

export const EndFeeds = ({ refused }: { refused?: Refusal }) => (
  <Tick name="endFeeds" refused={refused}>
    <Trans>End my calendar links too: calendars that read them get nothing any more</Trans>
  </Tick>
);
