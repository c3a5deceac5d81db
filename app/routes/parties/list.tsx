import { msg } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Done, Empty } from '../../components/Card';
import { EventLine, eventLineOf } from '../../components/EventLine';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { listHosted } from '../../domain/parties/parties.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Your Parties`);

export const loader = pageLoader('Provider', async ({ db, actor }) => ({
  parties: (await listHosted(db, actor, 'party')).map((party) => ({ ...eventLineOf(party), invited: party.invited })),
}));

export default function Parties() {
  const { parties } = useLoaderData<typeof loader>();
  const { t } = useLingui();
  const create = <ButtonLink to={paths.createParty()}>{t`Create a party`}</ButtonLink>;
  return (
    <Page title={t`Your Parties`}>
      <Done what="deleted">{t`The party is deleted.`}</Done>
      <Done what="copied">{t`The copies are made. Each has a link of its own.`}</Done>
      <Card>
        {parties.length === 0 ? (
          <Empty next={create} about={t`A party has one link to share with everyone, and you see here who is coming.`}>
            {t`No parties created`}
          </Empty>
        ) : (
          <div>{create}</div>
        )}
        <ul className="lines events">
          {parties.map(({ invited, ...party }) => (
            <EventLine key={party.id} party={party} to={paths.manageParty(party.id)}>
              <Plural value={invited} one="# RSVP(s)" other="# RSVP(s)" />
            </EventLine>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
