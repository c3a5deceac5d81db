import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Confirm } from '../../components/forms/Confirm';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { QuestionWords } from '../../components/QuestionWords';
import { useWords } from '../../components/words';
import { type AskedBy, deleteTemplate, getTemplateWithUse } from '../../domain/templates/templates.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { WhereToAsk } from './WhereToAsk';

export const meta = titled(msg`Template`);

/** Names what asks nothing once the questions are deleted; null if nothing does. */
function useLoss({ services, hasHours }: AskedBy): string | null {
  const { t } = useLingui();
  const words = useWords();
  const names = [...services.map((name) => t`“${name}”`), ...(hasHours ? [t`new times of your hours`] : [])];
  if (names.length === 0) return null;
  const askers = words({ list: names });
  return t`Asked by ${askers}. Once you delete these questions, nothing is asked there.`;
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
  const loss = useLoss(askedBy);
  const { t } = useLingui();
  return (
    <Page title={t`Template`} subtitle={displayName}>
      <ErrorSummary refused={refused} />
      <Card title={displayName}>
        {questions.length === 0 && <Empty>{t`It asks nothing yet.`}</Empty>}
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
            <p className="text-muted">{t`No service and no hours ask these questions yet. Choose them there.`}</p>
            <WhereToAsk />
          </>
        )}
        {isCurrent ? (
          <div className="flex flex-wrap items-center gap-3">
            <ButtonLink to={paths.editTemplate(id)}>{t`Edit`}</ButtonLink>
            <ButtonLink quiet to={paths.createTemplate()}>
              {t({ message: 'New', context: 'template' })}
            </ButtonLink>
            <Confirm
              id="delete"
              icon="delete"
              button={t`Delete`}
              question={t`Delete “${displayName}”?`}
              happens={
                loss
                  ? t`${loss} Times that are published keep them, and nobody is told.`
                  : t`Nobody is asked these questions from then on. Times that are published keep them, and nobody is told.`
              }
            />
          </div>
        ) : (
          <p className="text-muted">
            <Trans>
              This is an earlier version. It is kept because appointments ask its questions, and can't be attached any
              more.
            </Trans>
          </p>
        )}
      </Card>
    </Page>
  );
}
