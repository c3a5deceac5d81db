import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment } from 'react';
import { Button } from '../../components/Button';
import { Notice } from '../../components/Card';
import { CopyLine } from '../../components/CopyField';
import { PostForm } from '../../components/forms/Form';
import { Icon } from '../../components/frame/Icon';
import { NumberInTable } from '../../components/Reach';
import { Moment } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { sendWords, withheldWords } from '../../domain/mail/withheld-mail';
import { type Attendee, rsvpWords } from '../../domain/parties/parties';
import type { Words } from '../../domain/words/words';
import { AddressForm, addressRow } from './AddressForm';
import { personalLink } from './links';

/** Says what the last button of the list did; `place` is its row. */
type DoneAt = { words: Words; place: number };

/** The id of the form that all buttons of the list submit. */
const rowsForm = 'rows';

/** Reads a place in the list, counted from 0; undefined if there is none. */
export const placeIn = (text: string | null | undefined): number | undefined =>
  text && /^\d{1,3}$/.test(text) ? Number(text) : undefined;

/** Reads what a button of the list sent: the id of a name, and its place in the list if there is one. */
export function pressed(value: string | undefined): { id: string; place: number | undefined } | undefined {
  if (!value) return undefined;
  const [id = '', place] = value.split('.');
  return { id, place: placeIn(place) };
}

type TextedAttendee = Attendee & { text: string | null };

type Props = {
  attendees: TextedAttendee[];
  origin: string;
  zone: string;
  done: DoneAt | null;
  /** The name whose address the host is typing; null if mail is not set up. */
  mail: { addressing: string | null; meetupId: string; refused?: Refusal } | null;
};

export function AttendeeTable({ attendees, origin, zone, done, mail }: Props) {
  const words = useWords();
  const { t } = useLingui();
  const place = done && Math.min(done.place, attendees.length);
  const row = (attendee: TextedAttendee, at: number) => (
    <Fragment key={attendee.id}>
      <AttendeeRow attendee={attendee} place={at} origin={origin} zone={zone} hasMail={mail !== null} />
      {mail?.addressing === attendee.id && (
        <tr id={addressRow} className="no-print">
          <td colSpan={3} className="whitespace-normal">
            <AddressForm attendee={attendee} place={at} meetupId={mail.meetupId} refused={mail.refused} />
          </td>
        </tr>
      )}
    </Fragment>
  );
  return (
    <>
      {/* One form for all buttons of the list, outside of it: Enter in a link's field must press none of them. */}
      <PostForm id={rowsForm} className="hidden">
        {null}
      </PostForm>
      <table className="table names">
        <thead className="max-sm:sr-only">
          <tr>
            {[t`Username`, t`Accepted`, t`Personal link`].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {attendees.slice(0, place ?? undefined).map(row)}
          {done && (
            <tr id="done" tabIndex={-1} className="no-print">
              <td colSpan={3}>
                <Notice tone="good" title={words(done.words)} />
              </td>
            </tr>
          )}
          {place !== null && attendees.slice(place).map((attendee, at) => row(attendee, place + at))}
        </tbody>
      </table>
    </>
  );
}

type RowProps = { attendee: TextedAttendee; place: number; origin: string; zone: string; hasMail: boolean };

function AttendeeRow({ attendee, place, origin, zone, hasMail }: RowProps) {
  const { id, name, accepted, rsvpAt, email, phone, text, withheld } = attendee;
  const words = useWords();
  const { t } = useLingui();
  const sendPhrase = withheld && sendWords(withheld);
  const send = sendPhrase && words(sendPhrase);
  const look = accepted === null ? 'text-muted' : accepted ? 'text-good' : 'text-accent';
  const press = { type: 'submit', form: rowsForm, value: `${id}.${place}` } as const;
  return (
    <tr>
      <th scope="row">
        {name}
        {email && <small className="break-all">{email}</small>}
        {phone && <NumberInTable phone={phone} name={name} text={text} />}
        {withheld && <small className="whitespace-normal text-accent">{words(withheldWords(withheld))}</small>}
      </th>
      <td>
        <span className={look}>{words(rsvpWords(accepted))}</span>
        {rsvpAt !== null && (
          <small>
            <Moment at={rsvpAt} zone={zone} />
          </small>
        )}
      </td>
      <td className="no-print">
        <CopyLine label={t`Link for ${name}`} value={personalLink(origin, attendee)} />
        {send && (
          <Button isText {...press} name="send">
            <Icon name="meetups" />
            <Trans>
              {send}
              <span className="sr-only">: the mail to {name}</span>
            </Trans>
          </Button>
        )}
        <Button isText {...press} name="replace">
          <Icon name="again" />
          <Trans>
            Replace the link<span className="sr-only"> of {name}</span>
          </Trans>
        </Button>
        {hasMail && (
          <a href={`?mail=${id}#${addressRow}`} className="act">
            <Icon name={email ? 'edit' : 'meetups'} />
            {email ? (
              <Trans>
                Change the address<span className="sr-only"> of {name}</span>
              </Trans>
            ) : (
              <Trans>
                Invite by e-mail<span className="sr-only">: {name}</span>
              </Trans>
            )}
          </a>
        )}
        <Button ends="off" {...press} name="remove">
          <Trans>
            Remove<span className="sr-only">: {name}</span>
          </Trans>
        </Button>
      </td>
    </tr>
  );
}
