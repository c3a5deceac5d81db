import { useLingui } from '@lingui/react/macro';
import { TextField } from '../../components/forms/Field';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { ibanWords, type Payee } from '../../domain/profile/iban';

export function PayeeFields({ payee, refused }: { payee: Payee | null; refused?: Refusal }) {
  const { t } = useLingui();
  const account = payee && 'iban' in payee ? payee : null;
  return (
    <>
      <p className="text-muted">{t`Whoever books a service with a deposit is asked to pay it, with a reference. Give a link or an account. The money goes straight to you, and you tick what has come: the search among your people finds whose a reference is.`}</p>
      <TextField
        name="payLink"
        label={t`Payment link`}
        type="url"
        defaultValue={payee && 'link' in payee ? payee.link : ''}
        maxLength={limits.payLink}
        refused={refused}
        isOptional
      />
      <TextField
        name="iban"
        label={t`IBAN`}
        autoComplete="off"
        defaultValue={account ? ibanWords(account.iban) : ''}
        refused={refused}
        help={t`Bank apps can scan it as a QR code.`}
        isOptional
      />
      <TextField
        name="holder"
        label={t`Name of the account`}
        autoComplete="off"
        defaultValue={account?.name ?? ''}
        maxLength={limits.payName}
        refused={refused}
        isOptional
      />
    </>
  );
}
