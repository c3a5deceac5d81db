import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import { limits, passwordRule } from '../../domain/input/limits';
import { useWords } from '../words';
import { TextField } from './Field';
import { PasswordField } from './PasswordField';
import { NameFields } from './PlateFields';

type Props = {
  hasMail: boolean;
  guest?: { displayName: string; email: string | null } | null;
  refused?: Refusal;
  children?: ReactNode; // further fields, before the password
};

/** What everybody who registers is asked. */
export function RegistrationFields({ hasMail, guest, refused, children }: Props) {
  const words = useWords();
  const { t } = useLingui();
  return (
    <>
      <NameFields
        label={t`Full name or company name`}
        help={t`You log in with it. Letters, digits, dots, underscores and hyphens.`}
        displayName={guest?.displayName}
        refused={refused}
      />
      {hasMail && (
        <TextField
          name="email"
          type="email"
          label={t`E-mail address`}
          autoComplete="email"
          maxLength={limits.email}
          defaultValue={guest?.email ?? undefined}
          refused={refused}
          help={t`For mail about your appointments, and a way back in when you lose the password.`}
          isOptional
        />
      )}
      {children}
      <PasswordField
        name="password"
        label={t`Password`}
        autoComplete="new-password"
        required
        minLength={limits.password.min}
        maxLength={limits.password.max}
        refused={refused}
        help={words(passwordRule)}
      />
    </>
  );
}
