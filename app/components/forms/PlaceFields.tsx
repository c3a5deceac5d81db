import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { TextField } from './Field';

/** The provider's own address, as their page shows it. */
export function AddressField({ address, refused }: { address?: string | null; refused?: Refusal }) {
  const { t } = useLingui();
  return (
    <TextField
      name="address"
      label={t`Address`}
      autoComplete="address-line1"
      defaultValue={address ?? ''}
      maxLength={limits.address}
      refused={refused}
      help={t`On your page, on appointments and in calendars, with the way to a map.`}
      isOptional
    />
  );
}

export function OwnPhoneField({ phone, refused }: { phone?: string | null; refused?: Refusal }) {
  const { t } = useLingui();
  return (
    <TextField
      name="phone"
      label={t`Phone`}
      type="tel"
      autoComplete="tel"
      defaultValue={phone ?? ''}
      maxLength={limits.phone.max}
      refused={refused}
      help={t`Everybody who opens your page can call it.`}
      isOptional
    />
  );
}
