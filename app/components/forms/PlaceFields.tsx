import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { TextField } from './Field';

/** A provider's own, for their page. */
export const AddressField = ({ address, refused }: { address?: string | null; refused?: Refusal }) => (
  <TextField
    name="address"
    label="Address"
    autoComplete="address-line1"
    defaultValue={address ?? ''}
    maxLength={limits.address}
    refused={refused}
    help="On your page, on appointments and in calendars, with the way to a map."
    isOptional
  />
);

export const OwnPhoneField = ({ phone, refused }: { phone?: string | null; refused?: Refusal }) => (
  <TextField
    name="phone"
    label="Phone"
    type="tel"
    autoComplete="tel"
    defaultValue={phone ?? ''}
    maxLength={limits.phone.max}
    refused={refused}
    help="Everybody who opens your page can call it."
    isOptional
  />
);
