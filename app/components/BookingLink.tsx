import { CopyField } from './CopyField';

/** A provider's own link, to hand to whoever should book. */
export function BookingLink({ link }: { link: string }) {
  return (
    <>
      <p className="text-muted">Whoever opens this link goes straight to your free days.</p>
      <CopyField label="Your booking link" value={link} />
    </>
  );
}
