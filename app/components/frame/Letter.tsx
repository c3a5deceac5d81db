import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useContext } from 'react';
import { type GuestsParty, mapLink } from '../../domain/parties/parties';
import { dateWords, type LocalDate } from '../../domain/time/clock';
import { withCommas } from '../../domain/words/joined';
import { worded } from '../../domain/words/worded';
import type { Words } from '../../domain/words/words';
import { MapLink } from '../EventFacts';
import { EventTimes, Leaf, Zone } from '../times/Time';
import { useWords } from '../words';
import { Nonce } from './nonce';
import { HomeLink, Page } from './Page';
import { i18nOfPage } from './page-language';
import { Sheet } from './Sheet';
import { tabTitle } from './titled';

// Prevents a second answer while the first is being saved. After ten seconds, or when somebody comes back to the page,
// the buttons work again. The script disables them after the submit event, because the browser doesn't send a disabled
// button. It has no quotes and no arrows, because React would escape them.
const saving = `
var savingWords = document.currentScript.dataset.words;
document.addEventListener(\`submit\`, function (event) {
  setTimeout(function () {
    event.target.querySelectorAll(\`button:enabled\`).forEach(function (button) {
      button.disabled = true;
      button.dataset.saving = button.textContent;
      button.textContent = savingWords;
    });
    setTimeout(free, 10000);
  });
});
addEventListener(\`pageshow\`, free);
function free() {
  document.querySelectorAll(\`[data-saving]\`).forEach(function (button) {
    button.disabled = false;
    button.textContent = button.dataset.saving;
    button.removeAttribute(\`data-saving\`);
  });
}
`;

type Props = {
  party: GuestsParty;
  greeting: ReactNode;
  rsvpBy?: LocalDate | null;
  children: ReactNode;
};

export function Letter({ party, greeting, rsvpBy, children }: Props) {
  const { description, date, timeZone, hideGoing, going } = party;
  const nonce = useContext(Nonce);
  const { t } = useLingui();
  const words = useWords();
  const title = words(party.title);
  const lastDay = rsvpBy && words(dateWords(rsvpBy).full);
  return (
    <Page title={t`You're Invited!`} corner={<HomeLink />} isLetter>
      <Sheet isFestive>
        <h2 className="text-2xl break-words">{title}</h2>
        <p>{greeting}</p>
        <dl className="grid gap-4 border-y border-dashed border-rule py-5 text-start">
          <div className="grid gap-1">
            <dt className="text-sm text-muted">
              <Trans>When</Trans>
            </dt>
            <dd className="flex flex-wrap items-center gap-4">
              <Leaf date={date} />
              <div className="min-w-min flex-1 basis-0 font-semibold">
                <span className="block">{words(dateWords(date).full)}</span>
                <EventTimes {...party} />
              </div>
            </dd>
          </div>
          {mapLink(party) && (
            <div>
              <dt className="text-sm text-muted">
                <Trans>Where</Trans>
              </dt>
              <dd className="font-semibold break-words">
                <MapLink party={party} />
              </dd>
            </div>
          )}
          {lastDay && (
            <div>
              <dt className="text-sm text-muted">
                <Trans>Answer by</Trans>
              </dt>
              <dd className="font-semibold">
                <Trans>
                  {lastDay}, until midnight, <Zone zone={timeZone} />
                </Trans>
              </dd>
            </div>
          )}
          {!hideGoing && going > 0 && (
            <div>
              <dt className="text-sm text-muted">
                <Trans>Going</Trans>
              </dt>
              <dd className="font-semibold">
                <Plural value={going} one="# person" other="# people" />
              </dd>
            </div>
          )}
        </dl>
        {description && <p className="text-start break-words whitespace-pre-line">{description}</p>}
        {children}
      </Sheet>
      <script nonce={nonce} data-words={t`Saving…`}>
        {saving}
      </script>
    </Page>
  );
}

/** For link previews: title, date and place, but never a name. Search engines get nothing. */
export function letterMeta(data: { party: GuestsParty } | null | undefined, notice?: Words) {
  const party = data?.party;
  const words = (words: Words) => worded(i18nOfPage(data), words);
  const titles = [notice, party?.title ?? msg`Invitation`].flatMap((title) => (title ? [words(title)] : []));
  const title = tabTitle(titles.join(' · '), data);
  const address = party?.address?.replaceAll('\n', ', ');
  const timeWords = party && words(withCommas([dateWords(party.date).full, ...(address ? [address] : [])]));
  return [
    { title },
    { name: 'robots', content: 'noindex, nofollow' },
    ...(party
      ? [
          { property: 'og:title', content: words(party.title) },
          { property: 'og:description', content: timeWords },
          { name: 'description', content: timeWords },
        ]
      : []),
  ];
}
