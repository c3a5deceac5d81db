import { Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { EventTimes, Leaf, Moment } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { GuestsParty } from '../../domain/parties/parties';
import { dateWords, type Instant } from '../../domain/time/clock';

type Props = {
  party: GuestsParty;
  at: Instant;
  /** Why, in the words of the host. */
  reason: string | null;
  /** The calendar file, for who said yes; null for who did not. */
  file: string | null;
};

/** The letter of what its host has called off: by whom, since when and why, and what it was to be. */
export function CalledOff({ party, at, reason, file }: Props) {
  const { kind, title, date, timeZone, address } = party;
  const { t } = useLingui();
  const words = useWords();
  const host = words(party.providerName);
  return (
    <Page title={t`Called off`} corner={<HomeLink />}>
      <Sheet>
        <h2 className="text-2xl break-words">{words(title)}</h2>
        <p>
          {kind === 'party' ? (
            <Trans>
              <strong>
                <bdi>{host}</bdi>
              </strong>{' '}
              has called off this party. We are sorry.
            </Trans>
          ) : (
            <Trans>
              <strong>
                <bdi>{host}</bdi>
              </strong>{' '}
              has called off this meetup. We are sorry.
            </Trans>
          )}
        </p>
        {reason && (
          <p className="break-words whitespace-pre-line">
            <bdi>{reason}</bdi>
          </p>
        )}
        <dl className="grid gap-4 border-y border-dashed border-rule py-5 text-start">
          <div className="grid gap-1">
            <dt className="text-sm text-muted">
              <Trans>It was to be</Trans>
            </dt>
            <dd className="flex flex-wrap items-center gap-4">
              <Leaf date={date} />
              <div className="min-w-min flex-1 basis-0 font-semibold">
                <span className="block">{words(dateWords(date).full)}</span>
                <EventTimes {...party} />
              </div>
            </dd>
          </div>
          {address && (
            <div>
              <dt className="text-sm text-muted">
                <Trans>Where</Trans>
              </dt>
              <dd className="font-semibold break-words whitespace-pre-line">{address}</dd>
            </div>
          )}
          <div>
            <dt className="text-sm text-muted">
              <Trans>Called off</Trans>
            </dt>
            <dd className="font-semibold">
              <Moment at={at} zone={timeZone} />
            </dd>
          </div>
        </dl>
        {file && (
          <div className="no-print">
            <ButtonLink quiet isFile to={file}>
              <Trans>Remove from calendar</Trans>
            </ButtonLink>
          </div>
        )}
      </Sheet>
    </Page>
  );
}
