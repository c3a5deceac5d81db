import { Trans, useLingui } from '@lingui/react/macro';
import { useContext } from 'react';
import { Button } from '../../components/Button';
import { Nonce } from '../../components/frame/nonce';
import { NotInFrame, useIsFramed } from '../../components/frame/shell';

/*
 * Shows the buttons that this browser can serve, and copies or shares the link. A page over plain http has no clipboard, and
 * many desks can't share. Where the browser refuses to copy, the link is selected for the reader. There is no sign in it that
 * markup would escape, hence the backticks and no arrows.
 */
const copying = `
(function (place, browser) {
  var link = place.querySelector(\`[data-link]\`);
  offer(\`copy\`, browser.clipboard, function (button) {
    var said = button.firstChild;
    var words = said.textContent;
    browser.clipboard.writeText(link.textContent).then(function () {
      said.textContent = place.dataset.copied;
      setTimeout(function () { said.textContent = words; }, 2000);
    }, function () {
      getSelection().selectAllChildren(link);
    });
  });
  offer(\`share\`, browser.share, function () {
    // A reader who closes the list of apps has shared nothing, and knows it.
    browser.share({ url: link.textContent, title: place.dataset.title }).catch(function () {});
  });
  function offer(name, can, act) {
    if (!can) return;
    var button = place.querySelector(\`[value=\${name}]\`);
    button.hidden = false;
    button.addEventListener(\`click\`, function () { act(button); });
  }
})(document.currentScript.parentNode, navigator);
`;

type Props = {
  link: string;
  subject: string; // of what sends it to oneself
  canChange: boolean;
};

/** The personal link of this page, to keep or to pass on: it is the way back. */
export function Keep({ link, subject, canChange }: Props) {
  const nonce = useContext(Nonce);
  const isFramed = useIsFramed();
  const { t } = useLingui();
  const body = encodeURIComponent(`${canChange ? t`See, change or cancel it:` : t`See it:`}\n${link}`);
  const links = [
    [t`Send it to myself by e-mail`, `mailto:?subject=${encodeURIComponent(subject)}&body=${body}`],
    [t`Send it as a text message`, `sms:?&body=${body}`],
  ] as const;
  return (
    <section
      aria-label={t`Your link`}
      data-title={subject}
      data-copied={t`Copied!`}
      className="no-print grid gap-3 border-t border-dashed border-rule pt-5 text-start"
    >
      <p className="text-sm text-muted">
        {canChange
          ? t`Keep this link: with it you see, change or cancel this on any device, without a login.`
          : t`Keep this link: with it you see this on any device, without a login.`}
      </p>
      {isFramed && (
        <p>
          <a href={link} className="py-2 underline underline-offset-4">
            <Trans>Open it in a tab of its own</Trans>
          </a>
        </p>
      )}
      <NotInFrame>
        <div className="grid gap-1.5">
          <h2 className="font-semibold">
            <Trans>Your link</Trans>
          </h2>
          <div className="flex flex-wrap gap-3">
            {/* Without script one press selects the whole link. */}
            <p
              data-link
              className="basis-full select-all break-all rounded-md border-[1.5px] border-edge bg-paper px-3 py-2.5 text-base"
            >
              {link}
            </p>
            <Button quiet hidden type="button" value="copy">
              <span aria-live="polite">
                <Trans>Copy link</Trans>
              </span>
            </Button>
            <Button quiet hidden type="button" value="share">
              <Trans>Share link</Trans>
            </Button>
          </div>
        </div>
        <p className="flex flex-wrap gap-x-6">
          {links.map(([words, href]) => (
            <a key={href} href={href} className="py-2 underline underline-offset-4">
              {words}
            </a>
          ))}
        </p>
      </NotInFrame>
      {nonce && !isFramed && <script nonce={nonce}>{copying}</script>}
    </section>
  );
}
