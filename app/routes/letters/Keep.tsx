import { CopyField } from '../../components/CopyField';

/** The personal link of this page, to keep: it is the way back. @param subject of the mail by which to send it to oneself */
export function Keep({ link, subject }: { link: string; subject: string }) {
  const body = encodeURIComponent(`See, change or cancel it:\n${link}`);
  return (
    <section aria-label="Your link" className="no-print grid gap-3 border-t border-dashed border-rule pt-5 text-left">
      <p className="text-sm text-muted">
        Keep this link: with it you see, change or cancel this on any device, without a login.
      </p>
      <CopyField label="Your link" value={link} />
      <p>
        <a
          href={`mailto:?subject=${encodeURIComponent(subject)}&body=${body}`}
          className="text-accent underline underline-offset-4"
        >
          Send it to myself by e-mail
        </a>
      </p>
    </section>
  );
}
