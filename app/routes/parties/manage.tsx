import { redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Empty, Refused } from '../../components/Card';
import { Confirm } from '../../components/Confirm';
import { CopyField } from '../../components/CopyField';
import { EventFacts } from '../../components/EventFacts';
import { PostForm, Submit } from '../../components/Form';
import { Page } from '../../components/Page';
import { QrCode } from '../../components/QrCode';
import { dateWords } from '../../domain/clock';
import type { Refusal } from '../../domain/errors';
import type { Invitation } from '../../domain/parties';
import { deleteParty, getHosted } from '../../domain/parties.server';
import { answerInWords, type Question } from '../../domain/questions';
import { findTemplateOfParty } from '../../domain/templates.server';
import { answerForm, answerPage } from '../../http/page.server';
import { questionTexts } from './columns';

export const meta = () => [{ title: 'Party details · Daybook' }];

export const loader = answerPage('Provider', async ({ db, actor }, { params: { id = '' }, url }) => {
  const [party, template] = await Promise.all([getHosted(db, actor, 'party', id), findTemplateOfParty(db, id)]);
  const columns = questionTexts(party, template);
  return { party, columns, questions: template?.questions ?? [], link: `${url.origin}/party/${id}` };
});

export const action = answerForm('Provider', async ({ db, actor, now }, _, { params: { id = '' } }) => {
  await deleteParty(db, actor, 'party', id, now);
  return redirect('/view-parties', 303);
});

export default function ManageParty() {
  const { party, columns, questions, link } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() as Refusal | undefined;
  const { id, title, invitations, going, capacity, rsvpBy, plusOnes } = party;
  return (
    <Page title="Party details" subtitle={title}>
      <Refused refused={refused} />
      <Card title={title}>
        <div className="no-print flex flex-wrap items-center gap-6">
          <div className="min-w-0 flex-1 basis-72">
            <CopyField label="Link to share" value={link} />
          </div>
          <QrCode link={link} />
        </div>
        <EventFacts
          party={party}
          more={[
            ['Going', capacity ? `${going} of ${capacity}` : String(going)],
            ...(plusOnes > 0 ? [['Plus-ones', `up to ${plusOnes} each`] as [string, string]] : []),
            ...(rsvpBy ? [['Answer by', dateWords(rsvpBy).full] as [string, string]] : []),
          ]}
        />
        <div className="no-print flex flex-wrap gap-3">
          <ButtonLink to={`/edit-party/${id}`}>Edit</ButtonLink>
          <Confirm id="delete" button="Delete" question="Delete this party and all its answers?">
            <PostForm>
              <Submit>Delete</Submit>
            </PostForm>
          </Confirm>
        </div>
      </Card>
      <Card title="RSVPs">
        {invitations.length === 0 ? (
          <Empty>No RSVPs</Empty>
        ) : (
          <>
            <RsvpTable invitations={invitations} columns={columns} questions={questions} />
            <div className="no-print flex flex-wrap gap-3">
              <ButtonLink quiet isFile to={`/view-party/${id}/guests.csv`}>
                Download as CSV
              </ButtonLink>
            </div>
          </>
        )}
      </Card>
    </Page>
  );
}

type TableProps = { invitations: Invitation[]; columns: string[]; questions: Question[] };

function RsvpTable({ invitations, columns, questions }: TableProps) {
  const cell = 'px-3 py-2 align-top break-words first:pl-0';
  return (
    // Focusable, so that a keyboard can scroll it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable
    <section aria-label="RSVPs" tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-max text-left text-sm">
        <thead className="text-muted">
          <tr>
            {['Guest', 'Accepted', 'Brings', ...columns].map((name) => (
              <th key={name} scope="col" className={`${cell} max-w-60 font-normal whitespace-normal`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {invitations.map(({ id, name, username, accepted, guests, answers }) => (
            <tr key={id} className="border-t border-dashed border-rule">
              <th scope="row" className={`${cell} font-semibold`}>
                {name} <span className="font-normal text-muted">({username})</span>
              </th>
              <td className={`${cell} font-semibold ${accepted ? 'text-good' : 'text-accent'}`}>
                {accepted ? 'Yes' : 'No'}
              </td>
              <td className={cell}>{guests > 0 ? `+${guests}` : ''}</td>
              {columns.map((text) => (
                <td key={text} className={`${cell} max-w-72 whitespace-pre-line`}>
                  {answers
                    .filter(({ question }) => question === text)
                    .map((answer) => answerInWords(questions, answer))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
