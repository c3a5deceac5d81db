import { useLingui } from '@lingui/react/macro';
import { TextArea, TextField } from '../../components/forms/Field';
import { AddressField, OwnPhoneField } from '../../components/forms/PlaceFields';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { Shop } from '../../domain/shop/colleagues';

type Props = {
  shop: Pick<Shop, 'displayName' | 'location' | 'address' | 'phone' | 'description'>;
  isNew?: boolean;
  refused?: Refusal;
};

/** What the page of a shop says. */
export function ShopFields({ shop, isNew, refused }: Props) {
  const { t } = useLingui();
  return (
    <>
      <TextField
        name="displayName"
        label={t`Name of the shop`}
        autoComplete="organization"
        required
        maxLength={limits.displayName}
        defaultValue={shop.displayName}
        refused={refused}
      />
      {isNew && (
        <TextField
          name="username"
          label={t`Username`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          minLength={limits.username.min}
          maxLength={limits.username.max}
          refused={refused}
          help={t`The address of its page ends in it. Nobody logs in with it.`}
        />
      )}
      <TextField
        name="location"
        label={t`City`}
        autoComplete="address-level2"
        required
        maxLength={limits.location}
        defaultValue={shop.location}
        refused={refused}
        help={t`People find you by it.`}
      />
      <AddressField address={shop.address} refused={refused} />
      <OwnPhoneField phone={shop.phone} refused={refused} />
      <TextArea
        name="description"
        label={t`Description`}
        placeholder={t`Explain your services`}
        maxLength={limits.description}
        defaultValue={shop.description ?? ''}
        refused={refused}
        isOptional
      />
    </>
  );
}
