import { useLingui } from '@lingui/react/macro';
import { AddressField, OwnPhoneField } from '../../components/forms/PlaceFields';
import { CityField, DescriptionField, NameFields } from '../../components/forms/PlateFields';
import type { Refusal } from '../../domain/errors';
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
      <NameFields
        isShop
        label={t`Name of the shop`}
        help={isNew ? t`The address of its page ends in it. Nobody logs in with it.` : undefined}
        displayName={shop.displayName}
        refused={refused}
      />
      <CityField location={shop.location} refused={refused} />
      <AddressField address={shop.address} refused={refused} />
      <OwnPhoneField phone={shop.phone} refused={refused} />
      <DescriptionField description={shop.description} refused={refused} />
    </>
  );
}
