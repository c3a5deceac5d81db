import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { ButtonLink, TextAction, TextLink } from '../../components/Button';
import { Card, Done, Empty, Facts, Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { CallOrMessage } from '../../components/Reach';
import { Leaf, SpanTimes } from '../../components/times/Time';
import { page, parse } from '../../domain/input/fields';
import { pageSize } from '../../domain/input/limits';
import { attendanceWords, visitsWords } from '../../domain/people/attendance-words';
import { editPerson } from '../../domain/people/edit.server';
import { cardChange, type Card as PersonCard } from '../../domain/people/people';
import { getPerson, type Visit } from '../../domain/people/people.server';
import { formerName } from '../../domain/profile/former';
import { listStandingTimes } from '../../domain/standing/standing.server';
import { dateWords } from '../../domain/time/clock';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { CardFields } from './CardFields';
import { PersonLine } from './PersonLine';
import { StandingTimes } from './StandingTimes';

export const meta = titled('Person');

export const loader = pageLoader('Provider', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const pageInput = parse(page, url.searchParams.get('page') ?? undefined);
  const [found, standing] = await Promise.all([
    getPerson(db, actor, id, pageInput, now),
    listStandingTimes(db, actor, id, now),
  ]);
  // This card was merged into another.
  if (found.person.id !== id) throw redirect(paths.person(found.person.id) + url.search);
  const isMerged = url.searchParams.has('merged');
  // The page number is read here, because the browser doesn't load the code that checks input.
  return { ...found, standing, timeZone: actor.timeZone, page: pageInput, before: pageInput * pageSize, isMerged };
});

export const action = formAction('Provider', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  const saved = await editPerson(db, actor, { id, ...parse(cardChange, fields(typed)) }, now);
  return redirect(paths.person(saved.id, { saved: 'yes' }), 303);
});

export default function PersonPage() {
  const { person, coming, past, latest, page, before, alike, isMerged, standing, timeZone } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { id, name, username, email, phone, note } = person;
  const isGone = name === formerName;
  return (
    <Page title={name} subtitle={username ?? undefined} breaksAnywhere>
      {!refused && <Done what="saved">The card is saved.</Done>}
      {isMerged && !refused && <Notice tone="good" title="Both are one card now." />}
      <ErrorSummary refused={refused} />
      <div className="columns">
        <Card>
          <Facts
            facts={[
              ['Visits', visitsWords(person)],
              ['Appointments', `${countWords(coming)} to come, ${countWords(past, before)} past`],
              ...(email ? ([['E-mail', <Mail key="mail" email={email} />]] as Fact[]) : []),
              ...(phone ? ([['Phone', <CallOrMessage key="phone" phone={phone} />]] as Fact[]) : []),
              ...(note ? ([['Note', note]] as Fact[]) : []),
            ]}
          />
          {!isGone && (
            <div className="no-print">
              <ButtonLink to={paths.bookForPerson(id, { service: latest?.serviceId })}>Book again</ButtonLink>
            </div>
          )}
          <div className="acts">
            {!isGone && latest && (
              <TextAction icon="again" to={paths.again(latest.id)}>
                The same time again
              </TextAction>
            )}
            {!isGone && standing.length === 0 && (
              <TextAction icon="week" to={paths.standingTimes(id)}>
                Keep a time each week
              </TextAction>
            )}
            <TextAction icon="people" to={paths.mergePerson(id)}>
              Merge with another
            </TextAction>
          </div>
          <Fold summary="Edit this card" isOpen={refused !== undefined}>
            <PostForm className="grid max-w-xl gap-5 py-3">
              <CardFields card={person} refused={refused} />
              <div>
                <Submit>Save card</Submit>
              </div>
            </PostForm>
          </Fold>
        </Card>
        {alike.length > 0 && <SimilarPeople id={id} people={alike} />}
        {standing.length > 0 && (
          <Card
            title="Standing times"
            aside={
              <TextLink to={paths.standingTimes(id)}>
                Change<span className="sr-only"> the standing times</span>
              </TextLink>
            }
          >
            <StandingTimes person={id} list={standing} timeZone={timeZone} />
          </Card>
        )}
        <Card title="To come">
          {coming.rows.length === 0 && <Empty>No appointments</Empty>}
          <Visits visits={coming.rows} person={name} />
        </Card>
        <Card title="Past">
          {past.rows.length === 0 && <Empty>No appointments</Empty>}
          <Visits visits={past.rows} person={name} />
          <Pager page={page} hasMore={past.hasMore} />
        </Card>
      </div>
      <p>
        <TextLink to={paths.people()}>All people</TextLink>
      </p>
    </Page>
  );
}

/** The number of appointments that the page shows, with a plus if there are more. */
const countWords = ({ rows, hasMore }: { rows: Visit[]; hasMore: boolean }, before = 0) => {
  const isBeyondAll = before > 0 && rows.length === 0;
  return `${hasMore ? 'more than ' : isBeyondAll ? 'at most ' : ''}${before + rows.length}`;
};

type Fact = [name: string, what: ReactNode];

const Mail = ({ email }: { email: string }) => (
  <a href={`mailto:${email}`} className="underline underline-offset-4">
    {email}
  </a>
);

const SimilarPeople = ({ id, people }: { id: string; people: PersonCard[] }) => (
  <Card title="The same person?">
    <p className="text-muted">They have the same name, e-mail address or phone number.</p>
    <ul className="lines">
      {people.map((other) => (
        <PersonLine
          key={other.id}
          person={other}
          acts={<TextLink to={paths.mergePerson(other.id, { into: id })}>Look at both, and merge</TextLink>}
        />
      ))}
    </ul>
  </Card>
);

function Visits({ visits, person }: { visits: Visit[]; person: string }) {
  return (
    <ul className="lines">
      {visits.map(({ id, attendance, privateNote, name, service, ...span }) => (
        <li key={id} className="relative">
          <Leaf date={span.date} />
          <div>
            <h3>
              <a href={paths.providerDetails(id)}>
                {service ?? 'Appointment'}
                <span className="sr-only">, {dateWords(span.date).full}</span>
              </a>
            </h3>
            <p>
              <SpanTimes {...span} />
              {attendance && <span className="block">{attendanceWords[attendance]}</span>}
              {name !== person && (
                <span className="block">
                  As <bdi>{name}</bdi>
                </span>
              )}
              {privateNote && <span className="block">{privateNote}</span>}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
