import { Trans, useLingui } from '@lingui/react/macro';
import type { DepositWithCode } from '../../domain/bookings/deposits';
import { ibanWords } from '../../domain/profile/iban';
import { TextLink } from '../Button';
import { type Fact, Facts } from '../Card';
import { useIsFramed } from '../frame/shell';
import { QrCode } from '../QrCode';

type Props = {
  deposit: DepositWithCode;
  /** The page with the code, where this one has none. */
  codeAt?: string;
};

/** Asks for the deposit of a booking, or says that it has come. */
export function AskForDeposit({ deposit: { text, reference, isPaid, payee, code }, codeAt }: Props) {
  const { t } = useLingui();
  const isFramed = useIsFramed();
  if (isPaid) {
    return (
      <p className="text-good">
        <Trans>
          The deposit of <bdi>{text}</bdi> has come.
        </Trans>
      </p>
    );
  }
  const facts: Fact[] = [
    [t`Deposit`, <bdi key="deposit">{text}</bdi>],
    [t`Reference`, <Signs key="reference">{reference}</Signs>],
    ...('iban' in payee
      ? ([
          [t`Name of the account`, <bdi key="name">{payee.name}</bdi>],
          [t`IBAN`, <Signs key="iban">{ibanWords(payee.iban)}</Signs>],
        ] as Fact[])
      : []),
  ];
  const how = (
    <>
      <p>
        {'iban' in payee
          ? t`By a transfer with this reference, so that it is known whose it is.`
          : t`Give this reference there, so that it is known whose it is.`}
      </p>
      <Facts isCompact facts={facts} />
      {'link' in payee && (
        <div>
          <a href={payee.link} rel="noreferrer" className="font-semibold break-words underline underline-offset-4">
            {t`Pay at ${new URL(payee.link).host}`}
          </a>
        </div>
      )}
      {code && (
        <details open={codeAt !== undefined} id="code">
          <summary className="min-h-11 cursor-pointer py-2">{t`QR code for bank apps`}</summary>
          <QrCode {...code} title={t`QR code of the transfer`} />
        </details>
      )}
      {!code && codeAt && 'iban' in payee && (
        <p>
          <TextLink to={codeAt}>{t`QR code for bank apps`}</TextLink>
        </p>
      )}
    </>
  );
  if (isFramed) {
    return (
      <details className="text-start">
        <summary className="font-semibold">
          <Trans>
            Please pay the deposit: <bdi>{text}</bdi>
          </Trans>
        </summary>
        {how}
      </details>
    );
  }
  return (
    <section className="grid gap-3 rounded-card border border-rule p-5 text-start">
      <h2 className="text-lg">{t`Please pay the deposit`}</h2>
      {how}
    </section>
  );
}

// They run from left to right in every language.
const Signs = ({ children }: { children: string }) => <bdi dir="ltr">{children}</bdi>;
