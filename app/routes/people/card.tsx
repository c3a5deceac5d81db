import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { ButtonLink, TextAction, TextLink } from '../../components/Button';
import { Card, Done, Empty, Facts, Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { NumberAndLinks } from '../../components/Reach';
import { Leaf, SpanTimes } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { paidWords } from '../../domain/bookings/deposits';
import { page, parse } from '../../domain/input/fields';
import { pageSize } from '../../domain/input/limits';
import { attendanceWords, visitsWords } from '../../domain/people/attendance-words';
import { editPerson } from '../../domain/people/edit.server';
import { cardChange, type Card as PersonCard } from '../../domain/people/people';
import { getPerson, type Visit } from '../../domain/people/people.server';
import { withText } from '../../domain/people/texts.server';
import { formerName } from '../../domain/profile/former';
import { listStandingTimes } from '../../domain/standing/standing.server';
import { dateWords } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
import { inBook } from '../../http/book-of.server';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import { CardFields } from './CardFields';
import { PersonLine } from './PersonLine';
import { StandingTimes } from './StandingTimes';

export const meta = titled(msg`Person`);

export const loader = pageLoader(
  'Provider',
  inBook(async (context, { params: { id = '' }, url }) => {
    const { db, actor, now, desk } = context;
    const pageInput = parse(page, url.searchParams.get('page') ?? undefined);
    const [{ person: card, ...found }, standing, sender] = await Promise.all([
      getPerson(db, actor, id, pageInput, now),
      listStandingTimes(db, actor, id, now),
      senderOf(context, url),
    ]);
    // This card was merged into another.
    if (card.id !== id) throw redirect(desk.person(card.id) + url.search);
    const isMerged = url.searchParams.has('merged');
    const person = await withText(sender, card);
    return {
      ...found,
      person,
      standing,
      timeZone: actor.timeZone,
      page: pageInput,
      before: pageInput * pageSize,
      isMerged,
    };
  }),
);

export const action = formAction(
  'Provider',
  inBook(async ({ db, actor, now, desk }, typed, { params: { id = '' } }) => {
    const saved = await editPerson(db, actor, { id, ...parse(cardChange, fields(typed)) }, now);
    return redirect(desk.person(saved.id, { saved: 'yes' }), 303);
  }),
);

export default function PersonPage() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const { person, coming, past, latest, page, before, alike, isMerged, standing, timeZone } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { id, name, username, email, phone, note, text } = person;
  const [toCome, gone] = [words(countWords(coming)), words(countWords(past, before))];
  const isGone = name === formerName;
  return (
    <Page title={name} subtitle={username ?? undefined} breaksAnywhere>
      {!refused && <Done what="saved">{t`The card is saved.`}</Done>}
      {isMerged && !refused && <Notice tone="good" title={t`Both are one card now.`} />}
      <ErrorSummary refused={refused} />
      <div className="columns">
        <Card>
          <Facts
            facts={[
              [t`Visits`, words(visitsWords(person))],
              [t`Appointments`, t`${toCome} to come, ${gone} past`],
              ...(email ? ([[t`E-mail`, <Mail key="mail" email={email} />]] as Fact[]) : []),
              ...(phone ? ([[t`Phone`, <NumberAndLinks key="phone" {...{ phone, name, text }} />]] as Fact[]) : []),
              ...(note ? ([[t`Note`, note]] as Fact[]) : []),
            ]}
          />
          {!isGone && (
            <div className="no-print">
              <ButtonLink to={desk.bookForPerson(id, { service: latest?.serviceId })}>{t`Book again`}</ButtonLink>
            </div>
          )}
          <div className="acts">
            {!isGone && latest && (
              <TextAction icon="again" to={desk.again(latest.id)}>
                <Trans>The same time again</Trans>
              </TextAction>
            )}
            {!isGone && standing.length === 0 && (
              <TextAction icon="week" to={desk.standingTimes(id)}>
                <Trans>Keep a time each week</Trans>
              </TextAction>
            )}
            <TextAction icon="people" to={desk.mergePerson(id)}>
              <Trans>Merge with another</Trans>
            </TextAction>
          </div>
          <Fold summary={t`Edit this card`} isOpen={refused !== undefined}>
            <PostForm className="grid max-w-xl gap-5 py-3">
              <CardFields card={person} refused={refused} />
              <div>
                <Submit>{t`Save card`}</Submit>
              </div>
            </PostForm>
          </Fold>
        </Card>
        {alike.length > 0 && <SimilarPeople id={id} people={alike} />}
        {standing.length > 0 && (
          <Card
            title={t`Standing times`}
            aside={
              <TextLink to={desk.standingTimes(id)}>
                <Trans>
                  Change<span className="sr-only"> the standing times</span>
                </Trans>
              </TextLink>
            }
          >
            <StandingTimes person={id} list={standing} timeZone={timeZone} />
          </Card>
        )}
        <Card title={t`To come`}>
          {coming.rows.length === 0 && <Empty>{t`No appointments`}</Empty>}
          <Visits visits={coming.rows} person={name} />
        </Card>
        <Card title={t`Past`}>
          {past.rows.length === 0 && <Empty>{t`No appointments`}</Empty>}
          <Visits visits={past.rows} person={name} />
          <Pager page={page} hasMore={past.hasMore} />
        </Card>
      </div>
      <p>
        <TextLink to={desk.people()}>{t`All people`}</TextLink>
      </p>
    </Page>
  );
}

/** The number of appointments that the page shows, with a plus if there are more. */
function countWords({ rows, hasMore }: { rows: Visit[]; hasMore: boolean }, before = 0): Words {
  const isBeyondAll = before > 0 && rows.length === 0;
  const count = before + rows.length;
  if (hasMore) return msg`more than ${count}`;
  return isBeyondAll ? msg`at most ${count}` : String(count);
}

type Fact = [name: string, what: ReactNode];

const Mail = ({ email }: { email: string }) => (
  <a href={`mailto:${email}`} className="underline underline-offset-4">
    {email}
  </a>
);

const SimilarPeople = ({ id, people }: { id: string; people: PersonCard[] }) => {
  const { t } = useLingui();
  const desk = useBookPaths();
  return (
    <Card title={t`The same person?`}>
      <p className="text-muted">{t`They have the same name, e-mail address or phone number.`}</p>
      <ul className="lines">
        {people.map((other) => (
          <PersonLine
            key={other.id}
            person={other}
            acts={<TextLink to={desk.mergePerson(other.id, { into: id })}>{t`Look at both, and merge`}</TextLink>}
          />
        ))}
      </ul>
    </Card>
  );
};

function Visits({ visits, person }: { visits: Visit[]; person: string }) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  return (
    <ul className="lines">
      {visits.map(({ id, attendance, deposit, reference, paid, privateNote, name, service, ...span }) => (
        <li key={id} className="relative">
          <Leaf date={span.date} />
          <div>
            <h3>
              <a href={desk.providerDetails(id)}>
                {service ?? t`Appointment`}
                <span className="sr-only">, {words(dateWords(span.date).full)}</span>
              </a>
            </h3>
            <p>
              <SpanTimes {...span} />
              {attendance && <span className="block">{words(attendanceWords[attendance])}</span>}
              {deposit && (
                <span className="block">
                  {words(paidWords(deposit, paid))} (<bdi dir="ltr">{reference}</bdi>)
                </span>
              )}
              {name !== person && (
                <span className="block">
                  <Trans>
                    As <bdi>{name}</bdi>
                  </Trans>
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
