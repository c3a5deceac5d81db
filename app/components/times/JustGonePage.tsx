import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Words } from '../../domain/words/words';
import { ButtonLink, TextLink } from '../Button';
import { Notice } from '../Card';
import { Page } from '../frame/Page';
import { Sheet } from '../frame/Sheet';
import { useWords } from '../words';

type Props = {
  /** Why they cannot have the time. */
  message: Words;
  advice: Words;
  providerName: string;
  /** Where they can wait for it; null if it does not come free any more. */
  waitTo: string | null;
  /** Where the other free times are. */
  othersTo: string;
  corner?: ReactNode;
  /** The nearest free times, each a `NearestTime`. */
  children: ReactNode;
};

/** Says that someone was faster or the time has passed, and offers other times. */
export function JustGonePage({ message, advice, providerName, waitTo, othersTo, corner, children }: Props) {
  const { t } = useLingui();
  const words = useWords();
  return (
    <Page title={t`Just gone`} subtitle={<bdi>{providerName}</bdi>} corner={corner}>
      <Sheet>
        <Notice tone="warn" title={words(message)}>
          <p>{words(advice)}</p>
        </Notice>
        <ul className="grid text-start empty:hidden">{children}</ul>
        {waitTo && (
          <p>
            <TextLink to={waitTo}>
              <Trans>Tell me if this time comes free</Trans>
            </TextLink>
          </p>
        )}
        <p>
          <ButtonLink quiet to={othersTo}>
            <Trans>Look for another time</Trans>
          </ButtonLink>
        </p>
      </Sheet>
    </Page>
  );
}
