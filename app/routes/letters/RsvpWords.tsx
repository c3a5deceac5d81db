import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { WebCalendars } from '../../components/times/WebCalendars';
import { useWords } from '../../components/words';
import type { GuestsParty, Invitation } from '../../domain/parties/parties';
import { dateWords } from '../../domain/time/clock';

/* The words of a party's letter about the reader's answer. */

/** The reason why nobody can answer any more. */
export function Closed({ party, isOver }: { party: GuestsParty; isOver: boolean }) {
  const { t } = useLingui();
  const words = useWords();
  if (isOver || !party.rsvpBy) return <p className="text-muted">{t`This party is over.`}</p>;
  const lastDay = words(dateWords(party.rsvpBy).full);
  return <p className="text-muted">{t`Answers were welcome until ${lastDay}.`}</p>;
}

type OwnRsvpProps = { file: string; link: string; party: GuestsParty; own: Invitation; canChange: boolean };

/** The reader's RSVP. @param file the calendar file, which leads back to the letter by its link */
export function OwnRsvp({ file, link, party, own, canChange }: OwnRsvpProps) {
  const { t } = useLingui();
  const { accepted, plusOnes } = own;
  if (!accepted) {
    return (
      <p className="font-semibold text-accent">
        {canChange ? t`You said no. You can change your mind below.` : t`You said no.`}
      </p>
    );
  }
  return (
    <div className="grid justify-items-center gap-3">
      <p className="font-semibold text-good">
        {plusOnes > 0 ? (
          <Trans>
            You are going, and bring <Plural value={plusOnes} one="# more" other="# more" />.
          </Trans>
        ) : (
          <Trans>You are going.</Trans>
        )}
      </p>
      <ToCalendar file={file} link={link} party={party} />
    </div>
  );
}

/** The calendar file of a party or meetup, and the same as links of calendars on the web. */
export function ToCalendar({ file, link, party: { title, startsAt, endsAt, address } }: ToCalendarProps) {
  const words = useWords();
  return (
    <div className="no-print grid justify-items-center gap-3">
      <ButtonLink quiet isFile to={file}>
        <Trans>Add to calendar</Trans>
      </ButtonLink>
      <WebCalendars {...{ file, link, startsAt, endsAt }} title={words(title)} location={address} />
    </div>
  );
}
type ToCalendarProps = { file: string; link: string; party: GuestsParty };

/** Whether there is room, where it is getting scarce. */
export function Room({ isFull, left }: { isFull: boolean; left: number | null }) {
  if (isFull) {
    return (
      <p className="font-semibold text-accent">
        <Trans>This party is full.</Trans>
      </p>
    );
  }
  if (left === null || left === 0 || left > 10) return null;
  return (
    <p className="text-sm text-muted">
      <Plural value={left} one="One place is left." other="# places are left." />
    </p>
  );
}
