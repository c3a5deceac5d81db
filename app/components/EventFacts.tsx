import { Trans, useLingui } from '@lingui/react/macro';
import { mapLink, type Party } from '../domain/parties/parties';
import { type Fact, Facts, MoreFacts } from './Card';
import { Icon } from './frame/Icon';
import { Leaf, useTimeFacts, WhenLine } from './times/Time';

export function EventFacts({ party, more = [] }: { party: Party; more?: Fact[] }) {
  const { providerName, description } = party;
  const { t } = useLingui();
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-4">
        <Leaf date={party.date} />
        <p className="flex-1 basis-52 text-lg font-semibold">
          <WhenLine {...party} />
        </p>
      </div>
      {description && (
        <Facts
          isCompact
          facts={[
            [
              t`Description`,
              <span key="description" className="font-normal">
                {description}
              </span>,
            ],
          ]}
        />
      )}
      <Facts
        isCompact
        facts={[...(mapLink(party) ? ([[t`Location`, <MapLink key="map" party={party} />]] as Fact[]) : []), ...more]}
      />
      <MoreFacts facts={[[t`Provider`, providerName], ...useTimeFacts(party)]} />
    </div>
  );
}

// The map's site does not learn which page the reader came from.
export function MapLink({
  party,
  isAct,
}: {
  party: Pick<Party, 'locationUrl' | 'address'>;
  isAct?: boolean; // at the end of a row
}) {
  const link = mapLink(party);
  if (!link) return null;
  return (
    <a
      href={link}
      rel="noreferrer noopener"
      target="_blank"
      className={isAct ? 'act' : 'relative inline-flex min-h-8 items-center underline underline-offset-4'}
    >
      {isAct && <Icon name="place" />}
      <span>
        {party.address ?? <Trans>Open the map</Trans>}
        <span aria-hidden="true">
          {'\u00a0'}
          <span className="arrow">↗</span>
        </span>
        <span className="sr-only">
          {' '}
          <Trans>(new tab)</Trans>
        </span>
      </span>
    </a>
  );
}
