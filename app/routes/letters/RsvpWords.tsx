import { ButtonLink } from '../../components/Button';
import { WebCalendars } from '../../components/times/WebCalendars';
import type { GuestsParty, Invitation } from '../../domain/parties/parties';
import { dateWords } from '../../domain/time/clock';

/* The words of a party's letter about the reader's answer. */

/** The reason why nobody can answer any more. */
export function Closed({ party, isOver }: { party: GuestsParty; isOver: boolean }) {
  return (
    <p className="text-muted">
      {isOver || !party.rsvpBy ? 'This party is over.' : `Answers were welcome until ${dateWords(party.rsvpBy).full}.`}
    </p>
  );
}

type OwnRsvpProps = { file: string; link: string; party: GuestsParty; own: Invitation; canChange: boolean };

/** The reader's answer. @param file the calendar file, which leads back to the letter by its link */
export function OwnRsvp({ file, link, party, own, canChange }: OwnRsvpProps) {
  if (!own.accepted) {
    return <p className="font-semibold text-accent">You said no.{canChange && ' You can change your mind below.'}</p>;
  }
  return (
    <div className="grid justify-items-center gap-3">
      <p className="font-semibold text-good">You are going{own.plusOnes > 0 && `, and bring ${own.plusOnes} more`}.</p>
      <ToCalendar file={file} link={link} party={party} />
    </div>
  );
}

/** The calendar file of a party or meetup, and the same as links of calendars on the web. */
export const ToCalendar = ({ file, link, party: { title, startsAt, endsAt, address } }: ToCalendarProps) => (
  <div className="no-print grid justify-items-center gap-3">
    <ButtonLink quiet isFile to={file}>
      Add to calendar
    </ButtonLink>
    <WebCalendars {...{ file, link, title, startsAt, endsAt }} location={address} />
  </div>
);
type ToCalendarProps = { file: string; link: string; party: GuestsParty };

/** Whether there is room, where it is getting scarce. */
export function Room({ isFull, left }: { isFull: boolean; left: number | null }) {
  if (isFull) return <p className="font-semibold text-accent">This party is full.</p>;
  if (left === null || left === 0 || left > 10) return null;
  return <p className="text-sm text-muted">{left === 1 ? 'One place is left.' : `${left} places are left.`}</p>;
}
