import { type ReactNode, useContext } from 'react';
import { type GuestsParty, mapLink } from '../../domain/parties/parties';
import { dateWords, type LocalDate } from '../../domain/time/clock';
import { MapLink } from '../EventFacts';
import { EventTimes, Leaf, Zone } from '../times/Time';
import { Nonce } from './nonce';
import { HomeLink, Page } from './Page';
import { Sheet } from './Sheet';
import { tabTitle } from './titled';

// Prevents a second answer while the first is being saved. After ten seconds, or when somebody comes back to the page,
// the buttons work again. The script disables them after the submit event, because the browser doesn't send a disabled
// button. It has no quotes and no arrows, because React would escape them.
const saving = `
document.addEventListener(\`submit\`, function (event) {
  setTimeout(function () {
    event.target.querySelectorAll(\`button:enabled\`).forEach(function (button) {
      button.disabled = true;
      button.dataset.saving = button.textContent;
      button.textContent = \`Saving…\`;
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
  const { title, description, date, timeZone, hideGoing, going } = party;
  const nonce = useContext(Nonce);
  return (
    <Page title="You're Invited!" corner={<HomeLink />} isLetter>
      <Sheet isFestive>
        <h2 className="text-2xl break-words">{title}</h2>
        <p>{greeting}</p>
        <dl className="grid gap-4 border-y border-dashed border-rule py-5 text-left">
          <div className="grid gap-1">
            <dt className="text-sm text-muted">When</dt>
            <dd className="flex flex-wrap items-center gap-4">
              <Leaf date={date} />
              <div className="min-w-min flex-1 basis-0 font-semibold">
                <span className="block">{dateWords(date).full}</span>
                <EventTimes {...party} />
              </div>
            </dd>
          </div>
          {mapLink(party) && (
            <div>
              <dt className="text-sm text-muted">Where</dt>
              <dd className="font-semibold break-words">
                <MapLink party={party} />
              </dd>
            </div>
          )}
          {rsvpBy && (
            <div>
              <dt className="text-sm text-muted">Answer by</dt>
              <dd className="font-semibold">
                {dateWords(rsvpBy).full}, until midnight, <Zone zone={timeZone} />
              </dd>
            </div>
          )}
          {!hideGoing && going > 0 && (
            <div>
              <dt className="text-sm text-muted">Going</dt>
              <dd className="font-semibold">{going === 1 ? '1 person' : `${going} people`}</dd>
            </div>
          )}
        </dl>
        {description && <p className="text-left break-words whitespace-pre-line">{description}</p>}
        {children}
      </Sheet>
      <script nonce={nonce}>{saving}</script>
    </Page>
  );
}

/** For link previews: title, date and place, but never a name. Search engines get nothing. */
export function letterMeta(data: { party: GuestsParty } | null | undefined, notice?: string) {
  const party = data?.party;
  const title = tabTitle([notice, party?.title ?? 'Invitation'].filter(Boolean).join(' · '), data);
  const timeWords =
    party && `${dateWords(party.date).full}${party.address ? `, ${party.address.replaceAll('\n', ', ')}` : ''}`;
  return [
    { title },
    { name: 'robots', content: 'noindex, nofollow' },
    ...(party
      ? [
          { property: 'og:title', content: party.title },
          { property: 'og:description', content: timeWords },
          { property: 'og:type', content: 'website' },
          { name: 'description', content: timeWords },
        ]
      : []),
  ];
}
