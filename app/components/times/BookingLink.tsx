import { Trans, useLingui } from '@lingui/react/macro';
import { CopyField } from '../CopyField';

export function BookingLink({ link }: { link: string }) {
  const { t } = useLingui();
  return (
    <>
      <p className="text-muted">
        <Trans>This link opens your free days, for anyone.</Trans>
      </p>
      <CopyField label={t`Your booking link`} value={link} />
    </>
  );
}
