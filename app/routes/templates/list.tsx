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

export const meta = titled('Templates');

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
  return (
    <Page title="Templates" subtitle="Questions you ask again and again">
      <Done what="deleted">The questions are deleted.</Done>
      {isCreated && (
        <Notice tone="good" title="The questions are saved.">
          <p>Choose them at a service or in your hours, and whoever books there answers them.</p>
          <WhereToAsk />
        </Notice>
      )}
      <Card>
        {templates.length === 0 ? (
          <Empty
            next={<ButtonLink to={paths.createTemplate()}>Write questions</ButtonLink>}
            about="Ask once what you want to know before each visit: the answers stand beside the appointment."
          >
            You have no templates.
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
                      Edit<span className="sr-only"> {displayName}</span>
                    </TextAction>
                  }
                >
                  <p>{count === 1 ? '1 question' : `${count} questions`}</p>
                </Line>
              ))}
            </ul>
            <div>
              <ButtonLink quiet to={paths.createTemplate()}>
                Write questions
              </ButtonLink>
            </div>
          </>
        )}
      </Card>
    </Page>
  );
}
