import { useLoaderData } from '@remix-run/react';
import { Card, Empty } from '../../components/Card';
import { EventLine, eventLineOf } from '../../components/EventLine';
import { Page } from '../../components/Page';
import { listRsvps } from '../../domain/parties/parties.server';
import { answerPage } from '../../http/page.server';

export const meta = () => [{ title: 'My invitations · Daybook' }];

export const loader = answerPage('member', async ({ db, actor }) => ({
  parties: (await listRsvps(db, actor)).map((party) => {
    const { accepted, plusOnes } = party.own;
    return { ...eventLineOf(party), accepted, plusOnes };
  }),
}));

export default function Answered() {
  const { parties } = useLoaderData<typeof loader>();
  return (
    <Page title="My invitations" subtitle="What you answered">
      <Card>
        {parties.length === 0 && (
          <Empty>Nothing yet. When someone sends you the link of a party, your answer is kept here.</Empty>
        )}
        <ul className="lines events">
          {parties.map((party) => (
            <EventLine key={party.id} party={party} to={`/party/${party.id}`}>
              {party.accepted ? (
                <span className="text-good">{`You are going${party.plusOnes > 0 ? `, with ${party.plusOnes} more` : ''}`}</span>
              ) : (
                <span className="text-accent">You said no</span>
              )}
            </EventLine>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
