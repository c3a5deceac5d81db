import { CopyField } from '../CopyField';

export function BookingLink({ link }: { link: string }) {
  return (
    <>
      <p className="text-muted">This link opens your free days, for anyone.</p>
      <CopyField label="Your booking link" value={link} />
    </>
  );
}
