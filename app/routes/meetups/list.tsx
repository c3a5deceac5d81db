import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Card, Done, Empty } from '../../components/Card';
import { MapLink } from '../../components/EventFacts';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { AskFields, EventFields } from '../../components/forms/EventFields';
import { PostForm, Submit } from '../../components/forms/Form';
import { NamesField } from '../../components/forms/NamesField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { ClockTime, Leaf, TimeOf, YourTimes } from '../../components/times/Time';
import { notLoggedIn } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { createMeetup } from '../../domain/parties/hosting.server';
import { inviteesFromLines, type Party } from '../../domain/parties/parties';
import { getHosted, listHosted } from '../../domain/parties/parties.server';
import { meetupInput, wrongDate } from '../../domain/parties/party-input';
import { fields, inShownZone, onceOf, withWireDates } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`My Meetups`);

export const loader = pageLoader('Provider', async ({ db, actor, viewer, now, hasMail }, { url }) => {
  const copied = url.searchParams.get('copy');
  const [account, meetups, copy] = await Promise.all([
    viewer(),
    listHosted(db, actor, 'meetup'),
    copied ? getHosted(db, actor, 'meetup', copied, now) : undefined,
  ]);
  if (!account) throw notLoggedIn();
  return {
    zone: account.timeZone,
    hasMail,
    meetups: meetups.map(rowOf),
    copy: copy && {
      ...copy,
      date: '',
      names: copy.invitations.map(({ name, email }) => (email ? `${name} <${email}>` : name)),
    },
  };
});

export const action = formAction('Provider', async ({ db, now, ...context }, typed) => {
  const actor = inShownZone(context.actor, typed);
  const form = { ...withWireDates(fields(typed), 'date'), attendees: inviteesFromLines(typed.attendees ?? []) };
  const input = parse(meetupInput, form, () => wrongDate(actor, form, now));
  const meetup = await createMeetup(db, actor, input, { now, key: onceOf(typed) });
  return redirect(paths.manageMeetup(meetup.id, { done: 'created' }), 303);
});

export default function Meetups() {
  const { meetups, zone, copy, hasMail } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const title = copy?.title;
  return (
    <Page title={t`My Meetups`}>
      <ErrorSummary refused={refused} />
      {!refused && <Done what="deleted">{t`The meetup is deleted.`}</Done>}
      {!refused && <Done what="copied">{t`The copies are made. Everyone has a link for each of them.`}</Done>}
      <Card title={t`Meetups`}>
        {meetups.length === 0 ? (
          <Empty>{t`No meetups yet. Create one below: everyone you name gets a personal link.`}</Empty>
        ) : (
          <MeetupTable meetups={meetups} />
        )}
      </Card>
      <Card id="create" title={copy ? t`A copy of ${title}` : t`Create meetup`}>
        <PostForm key={copy?.title} className="grid gap-5">
          <input type="hidden" name="zone" value={zone} />
          <EventFields before={copy} refused={refused} zone={zone} />
          <AskFields before={copy} refused={refused} />
          <NamesField label={t`Names`} defaultValue={copy?.names} refused={refused} hasMail={hasMail} />
          <div>
            <Submit>{t`Create meetup`}</Submit>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}

type Row = Pick<
  Party,
  | 'id'
  | 'title'
  | 'description'
  | 'providerName'
  | 'startsAt'
  | 'endsAt'
  | 'date'
  | 'timeZone'
  | 'address'
  | 'locationUrl'
  | 'going'
  | 'invited'
>;

function rowOf(meetup: Party): Row {
  const { id, title, description, providerName, startsAt, endsAt, date, timeZone } = meetup;
  const { address, locationUrl, going, invited } = meetup;
  return {
    id,
    title,
    description,
    providerName,
    startsAt,
    endsAt,
    date,
    timeZone,
    address,
    locationUrl,
    going,
    invited,
  };
}

function MeetupTable({ meetups }: { meetups: Row[] }) {
  const { t } = useLingui();
  const heads = [t`Date`, t`Meetup`, t`Provider`, t`Start`, t`End`, t`Description`, t`Location`];
  return (
    <table className="table meetups">
      <thead className="sr-only">
        <tr>
          {heads.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {meetups.map((meetup) => (
          <tr key={meetup.id}>
            <td>
              <Leaf date={meetup.date} />
            </td>
            <th scope="row">
              <a href={paths.manageMeetup(meetup.id)}>{meetup.title}</a>
              <p>
                <Accepted {...meetup} />
              </p>
            </th>
            <td>{meetup.providerName}</td>
            <td>
              <ClockTime at={meetup.startsAt} zone={meetup.timeZone} />
            </td>
            <td>
              <TimeOf at={meetup.endsAt} zone={meetup.timeZone} />
              <span className="block">
                <YourTimes {...meetup} />
              </span>
            </td>
            <td>{meetup.description && <p className="line-clamp-2">{meetup.description}</p>}</td>
            <td>
              <MapLink party={meetup} isAct />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Accepted = ({ going, invited }: Pick<Row, 'going' | 'invited'>) => (
  <Trans>
    {going} of {invited} accepted
  </Trans>
);
