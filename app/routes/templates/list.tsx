import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextAction } from '../../components/Button';
import { Card, Done, Empty, Notice } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Line } from '../../components/Line';
import { listTemplates } from '../../domain/templates/templates.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { WhereToAsk } from './WhereToAsk';

export const meta = titled(msg`Templates`);

export const loader = pageLoader('Provider', async ({ db, actor }, { url }) => ({
  templates: (await listTemplates(db, actor)).map(({ id, displayName, questions }) => ({
    id,
    displayName,
    count: questions.length,
  })),
  isCreated: url.searchParams.has('created'),
}));

export default function Templates() {
  const { templates, isCreated } = useLoaderData<typeof loader>();
  const { t } = useLingui();
  return (
    <Page title={t`Templates`} subtitle={t`Questions you ask again and again`}>
      <Done what="deleted">{t`The questions are deleted.`}</Done>
      {isCreated && (
        <Notice tone="good" title={t`The questions are saved.`}>
          <p>{t`Choose them at a service or in your hours, and whoever books there answers them.`}</p>
          <WhereToAsk />
        </Notice>
      )}
      <Card>
        {templates.length === 0 ? (
          <Empty
            next={<ButtonLink to={paths.createTemplate()}>{t`Write questions`}</ButtonLink>}
            about={t`Ask once what you want to know before each visit: the answers stand beside the appointment.`}
          >
            {t`You have no templates.`}
          </Empty>
        ) : (
          <>
            <ul className="lines">
              {templates.map(({ id, displayName, count }) => (
                <Line
                  key={id}
                  name={displayName}
                  to={paths.template(id)}
                  acts={
                    <TextAction to={paths.editTemplate(id)} icon="edit">
                      <Trans>
                        Edit<span className="sr-only"> {displayName}</span>
                      </Trans>
                    </TextAction>
                  }
                >
                  <p>
                    <Plural value={count} one="# question" other="# questions" />
                  </p>
                </Line>
              ))}
            </ul>
            <div>
              <ButtonLink quiet to={paths.createTemplate()}>
                {t`Write questions`}
              </ButtonLink>
            </div>
          </>
        )}
      </Card>
    </Page>
  );
}
