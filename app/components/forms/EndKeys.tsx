import { Trans } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { Tick } from './Tick';

export const EndKeys = ({ refused }: { refused?: Refusal }) => (
  <Tick name="endKeys" refused={refused}>
    <Trans>End my keys too: programs that use them have no access any more</Trans>
  </Tick>
);
