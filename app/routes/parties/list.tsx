import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Done, Empty } from '../../components/Card';
import { EventLine, eventLineOf } from '../../components/EventLine';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { listHosted } from '../../domain/parties/parties.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('Your Parties');

export const loader = pageLoader('Provider', async ({ db, actor }) => ({
  parties: (await listHosted(db, actor, 'party')).map((party) => ({ ...eventLineOf(party), invited: party.invited })),
}));

export default function Parties() {
  const { parties } = useLoaderData<typeof loader>();
  const create = <ButtonLink to={paths.createParty()}>Create a party</ButtonLink>;
  return (
    <Page title="Your Parties">
      <Done what="deleted">The party is deleted.</Done>
      <Done what="copied">The copies are made. Each has a link of its own.</Done>
      <Card>
        {parties.length === 0 ? (
          <Empty next={create} about="A party has one link to share with everyone, and you see here who is coming.">
            No parties created
          </Empty>
        ) : (
          <div>{create}</div>
        )}
        <ul className="lines events">
          {parties.map((party) => (
            <EventLine key={party.id} party={party} to={paths.manageParty(party.id)}>
              {`${party.invited} RSVP(s)`}
            </EventLine>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
