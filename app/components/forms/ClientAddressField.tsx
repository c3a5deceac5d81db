import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { needsAt, type Where } from '../../domain/services/where';
import { TextField } from './Field';

type Props = {
  where: Where | null;
  /** Who gets it; left out where the provider types it. */
  provider?: string;
  refused?: Refusal;
};

/** The client's address, if the appointment takes place there. */
export function ClientAddressField({ where, provider, refused }: Props) {
  const { t } = useLingui();
  return !needsAt(where).address ? null : (
    <TextField
      name="address"
      label={provider === undefined ? t`Their address` : t`Your address`}
      autoComplete={provider === undefined ? 'off' : 'street-address'}
      maxLength={limits.address}
      required
      help={
        provider === undefined
          ? t`It takes place there.`
          : t`It takes place there. For ${{ providerName: provider }} only.`
      }
      refused={refused}
    />
  );
}
