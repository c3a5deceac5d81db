import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Empty, RefusalNotice } from '../../components/Card';
import { Confirm } from '../../components/forms/Confirm';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { QuestionWords } from '../../components/QuestionWords';
import { type AskedBy, deleteTemplate, getTemplateWithUse } from '../../domain/templates/templates.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { WhereToAsk } from './WhereToAsk';

export const meta = titled('Template');

const listed = new Intl.ListFormat('en');

/** Names what asks nothing once the questions are deleted; null if nothing does. */
function lossWords({ services, hasHours }: AskedBy): string | null {
  const askers = [...services.map((name) => `“${name}”`), ...(hasHours ? ['new times of your hours'] : [])];
  if (askers.length === 0) return null;
  return `Asked by ${listed.format(askers)}. Once you delete these questions, nothing is asked there.`;
}

export const loader = pageLoader('Provider', ({ db, actor }, { params: { id = '' } }) =>
  getTemplateWithUse(db, actor, id),
);

export const action = formAction('Provider', async ({ db, actor, now }, _, { params: { id = '' } }) => {
  await deleteTemplate(db, actor, id, now);
  return redirect(paths.templates({ deleted: 'yes' }), 303);
});

export default function TemplateDetails() {
  const { id, displayName, questions, isCurrent, askedBy } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const loss = lossWords(askedBy);
  return (
    <Page title="Template" subtitle={displayName}>
      <RefusalNotice refused={refused} />
      <Card title={displayName}>
        {questions.length === 0 && <Empty>It asks nothing yet.</Empty>}
        <ol className="grid">
          {questions.map((question) => (
            <li key={question.id} className="flex border-b border-dashed border-rule py-3 last:border-0">
              <QuestionWords question={question} />
            </li>
          ))}
        </ol>
        {isCurrent && loss && <p className="text-muted">{loss}</p>}
        {isCurrent && !loss && (
          <>
            <p className="text-muted">No service and no hours ask these questions yet. Choose them there.</p>
            <WhereToAsk />
          </>
        )}
        {isCurrent ? (
          <div className="flex flex-wrap items-center gap-3">
            <ButtonLink to={paths.editTemplate(id)}>Edit</ButtonLink>
            <ButtonLink quiet to={paths.createTemplate()}>
              New
            </ButtonLink>
            <Confirm
              id="delete"
              icon="delete"
              button="Delete"
              question={`Delete “${displayName}”?`}
              happens={`${loss ?? 'Nobody is asked these questions from then on.'} Times that are published keep them, and nobody is told.`}
            />
          </div>
        ) : (
          <p className="text-muted">
            This is an earlier version. It is kept because appointments ask its questions, and can't be attached any
            more.
          </p>
        )}
      </Card>
    </Page>
  );
}
