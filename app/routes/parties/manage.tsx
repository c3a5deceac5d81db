import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Done, Empty } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { EventFacts } from '../../components/EventFacts';
import { CancelForm } from '../../components/forms/CancelForm';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { HowAllTold } from '../../components/HowTold';
import { Pager } from '../../components/Pager';
import { QrCode } from '../../components/QrCode';
import { NumberInTable } from '../../components/Reach';
import { ScrollRegion } from '../../components/ScrollRegion';
import { useWords } from '../../components/words';
import { cancellation } from '../../domain/bookings/appointments';
import { findTemplateOfParty } from '../../domain/bookings/template-of.server';
import { page as pageNumber, parse } from '../../domain/input/fields';
import { findEventWays } from '../../domain/messages/event-ways.server';
import { listGuestPage } from '../../domain/parties/guest-pages.server';
import { deleteParty } from '../../domain/parties/hosting.server';
import type { Invitation } from '../../domain/parties/parties';
import { getOwnParty } from '../../domain/parties/parties.server';
import { aboutEvent, withTexts } from '../../domain/people/texts.server';
import { qrCodeOf } from '../../domain/qr-code.server';
import { answerWords } from '../../domain/templates/questions';
import { dateWords } from '../../domain/time/clock';
import { fields, onceOf } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import * as paths from '../../paths';
import { questionsOf, questionTexts } from './columns';

export const meta = titled(msg`Party details`);

export const loader = pageLoader('Provider', async (context, { params: { id = '' }, url }) => {
  const { db, actor, now, hasMail } = context;
  const page = parse(pageNumber, url.searchParams.get('page') ?? undefined);
  const [party, { rows: shown, hasMore }, template, ways, sender] = await Promise.all([
    getOwnParty(db, actor, 'party', id),
    listGuestPage(db, actor, { id, page }, now),
    findTemplateOfParty(db, id),
    findEventWays(db, actor, id, hasMail),
    senderOf(context, url),
  ]);
  const columns = questionTexts(questionsOf(shown), template);
  const words = answerWords(template?.questions ?? []);
  const rows = shown.map(({ id, name, username, accepted, plusOnes, email, phone, lang, answers }) => {
    const answersTo = (text: string) => answers.filter(({ question }) => question === text).map(words);
    return {
      id,
      name,
      username,
      accepted,
      plusOnes,
      email,
      phone,
      about: phone ? aboutEvent(party, { lang }, paths.party(party.id)) : null,
      answers: columns.map((text) => answersTo(text).join('')),
    };
  });
  const link = url.origin + paths.party(id);
  return { party, ways, columns, rows: await withTexts(sender, rows), page, hasMore, link, qr: qrCodeOf(link) };
});

export const action = formAction('Provider', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  const { reason } = parse(cancellation, fields(typed));
  await deleteParty(db, actor, 'party', { id, reason }, { now, key: onceOf(typed) });
  return redirect(paths.parties({ deleted: 'yes' }), 303);
});

export default function ManageParty() {
  const { party, ways, columns, rows, page, hasMore, link, qr } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { id, title, going, capacity, rsvpBy, plusOnes } = party;
  const words = useWords();
  const { t } = useLingui();
  return (
    <Page title={t`Party details`} subtitle={title}>
      <ErrorSummary refused={refused} />
      {!refused && <Done what="saved">{t`The party is saved.`}</Done>}
      <Card title={title}>
        <div className="no-print flex flex-wrap items-center gap-6">
          <div className="min-w-0 flex-1 basis-72">
            <CopyField label={t`Link to share`} value={link} />
          </div>
          <QrCode {...qr} />
        </div>
        <EventFacts
          party={party}
          more={[
            [t`Going`, capacity ? t`${going} of ${capacity}` : String(going)],
            ...(plusOnes > 0 ? [[t`Plus-ones`, t`up to ${plusOnes} each`] as [string, string]] : []),
            ...(rsvpBy ? [[t`Answer by`, words(dateWords(rsvpBy).full)] as [string, string]] : []),
          ]}
        />
        <div className="no-print flex flex-wrap gap-3">
          <ButtonLink to={paths.editParty(id)}>{t`Edit`}</ButtonLink>
          <ButtonLink quiet to={paths.createParty({ copy: id })}>
            {t`Copy for a new date`}
          </ButtonLink>
          <ButtonLink quiet to={paths.repeat(id)}>
            {t`Every week until …`}
          </ButtonLink>
          <CancelForm
            intent="delete"
            button={t`Delete`}
            question={t`Delete “${title}” and all its answers? Its link will say that you called it off.`}
            refused={refused}
          >
            <HowAllTold ways={ways} withReason />
          </CancelForm>
        </div>
      </Card>
      <Card title={t`RSVPs`}>
        {rows.length === 0 && page === 0 ? (
          <Empty about={t`Share the link above: who answers stands here, with their answers.`}>{t`No RSVPs`}</Empty>
        ) : (
          <>
            {columns.length > 0 && (
              <p className="no-print text-sm text-muted sm:hidden">
                {t`Slide the table to the left to read the answers.`}
              </p>
            )}
            <RsvpTable rows={rows} columns={columns} />
            <Pager page={page} hasMore={hasMore} list="rsvps" doneParam="saved" />
            <div className="no-print flex flex-wrap gap-3">
              <ButtonLink quiet isFile to={paths.partyGuests(id)}>
                {t`Download as CSV`}
              </ButtonLink>
            </div>
          </>
        )}
      </Card>
    </Page>
  );
}

type Guest = Pick<Invitation, 'id' | 'name' | 'username' | 'accepted' | 'plusOnes' | 'email' | 'phone'> & {
  answers: string[];
  text: string | null;
};

function RsvpTable({ rows, columns }: { rows: Guest[]; columns: string[] }) {
  const { t } = useLingui();
  return (
    <ScrollRegion id="rsvps" label={t`RSVPs`} className="slides">
      <table className="table guests min-w-max text-sm">
        <thead>
          <tr>
            {[t`Guest`, t`Accepted`, t`Brings`, ...columns].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, username, accepted, plusOnes, email, phone, text, answers: said }) => (
            <tr key={id}>
              <th scope="row">
                {`${name} `}
                {/* A guest without an account has a name alone. */}
                {username !== name && <small>{`(${username})`}</small>}
                {email && <small>{email}</small>}
                {phone && <NumberInTable phone={phone} name={name} text={text} />}
              </th>
              <td className={accepted ? 'text-good' : 'text-accent'}>{accepted ? t`Yes` : t`No`}</td>
              <td>{plusOnes > 0 ? `+${plusOnes}` : ''}</td>
              {columns.map((text, place) => (
                <td key={text}>{said[place]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
