import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { TextArea, TextField } from './Field';

// What stands on the plate of somebody's page, and its address: of people as of shops.

type NamesProps = {
  displayName?: string;
  label: string;
  help?: string; // of the username; without it no username is asked
  isShop?: boolean;
  refused?: Refusal;
};

export function NameFields({ displayName, label, help, isShop, refused }: NamesProps) {
  const { t } = useLingui();
  return (
    <>
      <TextField
        name="displayName"
        label={label}
        autoComplete={isShop ? 'organization' : 'name'}
        required
        maxLength={limits.displayName}
        defaultValue={displayName}
        refused={refused}
      />
      {help && (
        <TextField
          name="username"
          label={t`Username`}
          autoComplete={isShop ? 'off' : 'username'}
          autoCapitalize="none"
          spellCheck={false}
          required
          minLength={limits.username.min}
          maxLength={limits.username.max}
          refused={refused}
          help={help}
        />
      )}
    </>
  );
}

export function CityField({ location, refused }: { location?: string; refused?: Refusal }) {
  const { t } = useLingui();
  return (
    <TextField
      name="location"
      label={t`City`}
      autoComplete="address-level2"
      required
      maxLength={limits.location}
      defaultValue={location}
      refused={refused}
      help={t`People find you by it.`}
    />
  );
}

export function DescriptionField({ description, refused }: { description?: string | null; refused?: Refusal }) {
  const { t } = useLingui();
  return (
    <TextArea
      name="description"
      label={t`Description`}
      placeholder={t`Explain your services`}
      maxLength={limits.description}
      defaultValue={description ?? undefined}
      refused={refused}
      isOptional
    />
  );
}
