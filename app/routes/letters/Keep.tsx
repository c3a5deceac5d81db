/** The personal link of this page, to keep or to pass on: it is the way back. @param subject of the mail by which to send it to oneself */
export function Keep({ link, subject }: { link: string; subject: string }) {
  const body = encodeURIComponent(`See, change or cancel it:\n${link}`);
  const ways = [
    ['Send it to myself by e-mail', `mailto:?subject=${encodeURIComponent(subject)}&body=${body}`],
    ['Send it as a text message', `sms:?&body=${body}`],
  ] as const;
  return (
    <section aria-label="Your link" className="no-print grid gap-3 border-t border-dashed border-rule pt-5 text-left">
      <p className="text-sm text-muted">
        Keep this link: with it you see, change or cancel this on any device, without a login.
      </p>
      {/* A letter has no script that copies. One press selects the whole link. */}
      <div className="grid gap-1.5">
        <h2 className="font-semibold">Your link</h2>
        <p className="select-all break-all rounded-md border-[1.5px] border-edge bg-paper px-3 py-2.5 text-base">
          {link}
        </p>
      </div>
      <p className="flex flex-wrap gap-x-6">
        {ways.map(([words, href]) => (
          <a key={href} href={href} className="py-2 text-accent underline underline-offset-4">
            {words}
          </a>
        ))}
      </p>
    </section>
  );
}
