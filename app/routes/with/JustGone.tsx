import { Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink, TextLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { PostForm, Submit } from '../../components/forms/Form';
import { RobotGuard } from '../../components/forms/RobotGuard';
import { HomeLink, Page } from '../../components/frame/Page';
import { partField } from '../../components/frame/Parts';
import { Sheet } from '../../components/frame/Sheet';
import { NearestTime, TypedFields } from '../../components/times/NearestTimes';
import { useWords } from '../../components/words';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Words } from '../../domain/words/words';
import { anyonePath, bookingFormPath, waitPath, withPath } from './paths';

/** A free time, with the token of its form; null if nothing was typed yet. */
type FreeTime = { slot: Appointment; token: string | null };

type Props = {
  message: Words;
  provider: string;
  providerName: string;
  nearest: FreeTime[];
  mayComeFree: boolean;
  /** The time that is gone. */
  id: string;
  /** The wanted service; null for the time as it is. */
  service: string | null;
  /** The times are of whoever is free in a shop then. */
  isShopTime?: boolean;
  /** The fields of the form that came too late. */
  typed?: Record<string, string[]>;
};

/** Fields of the page, not of the person. */
const ofPage = ['once', 'shown', 'website', partField];

/** Says that someone was faster or the time has passed, and offers other times: one tap books, with all that was typed. */
export function JustGone({
  message,
  provider,
  providerName,
  nearest,
  mayComeFree,
  id,
  service,
  isShopTime = false,
  typed = {},
}: Props) {
  const { t } = useLingui();
  const words = useWords();
  const to = ({ id, startsAt }: Appointment) =>
    isShopTime ? anyonePath(provider, startsAt, service) : bookingFormPath(provider, id, service);
  const typedFields = Object.entries(typed).filter(([name]) => !ofPage.includes(name));
  return (
    <Page title={t`Just gone`} subtitle={<bdi>{providerName}</bdi>} corner={<HomeLink />}>
      <Sheet>
        <Notice tone="warn" title={words(message)}>
          <p>
            {nearest.length > 0
              ? t`These are the nearest free times.`
              : t`No other time is free for this at the moment.`}
          </p>
        </Notice>
        <ul className="grid text-start empty:hidden">
          {nearest.map(({ slot, token }) => (
            <NearestTime key={slot.id} slot={slot}>
              {token ? (
                <PostForm action={to(slot)}>
                  <RobotGuard token={token} />
                  <TypedFields typed={typedFields} />
                  <Submit aria-describedby={slot.id}>
                    <Trans context="verb">Book</Trans>
                  </Submit>
                </PostForm>
              ) : (
                <ButtonLink to={to(slot)} aria-describedby={slot.id}>
                  <Trans context="verb">Book</Trans>
                </ButtonLink>
              )}
            </NearestTime>
          ))}
        </ul>
        {mayComeFree && (
          <p>
            <TextLink to={waitPath(provider, { slot: id, service })}>
              <Trans>Tell me if this time comes free</Trans>
            </TextLink>
          </p>
        )}
        <p>
          <TextLink to={withPath(provider, service)}>
            <Trans>Look for another time</Trans>
          </TextLink>
        </p>
      </Sheet>
    </Page>
  );
}
