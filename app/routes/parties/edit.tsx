import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { EventFields, PartyFields } from '../../components/forms/EventFields';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { HowAllTold } from '../../components/HowTold';
import { parse } from '../../domain/input/fields';
import { findEventWays } from '../../domain/messages/event-ways.server';
import { editParty } from '../../domain/parties/hosting.server';
import { getOwnParty } from '../../domain/parties/parties.server';
import { partyChange } from '../../domain/parties/party-input';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { fields, withWireDates } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Edit Party`);

export const loader = pageLoader('Provider', async ({ db, actor, hasMail }, { params: { id = '' } }) => {
  const [party, templates, ways] = await Promise.all([
    getOwnParty(db, actor, 'party', id),
    listTemplateNames(db, actor),
    findEventWays(db, actor, id, hasMail),
  ]);
  return { party, templates, ways };
});

export const action = formAction('Provider', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  // The form has all fields, so a box that is missing was unticked.
  const input = { hideGoing: 'false', showOnPage: 'false', ...fields(typed) };
  const change = parse(partyChange, withWireDates(input, 'date', 'rsvpBy'));
  await editParty(db, actor, 'party', { id, change }, now);
  return redirect(paths.manageParty(id, { saved: 'yes' }), 303);
});

export default function EditParty() {
  const { party, templates, ways } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  return (
    <Page title={t`Edit Party`} subtitle={party.title}>
      <ErrorSummary refused={refused} />
      <Card>
        <PostForm className="grid max-w-2xl gap-5">
          <EventFields before={party} refused={refused} zone={party.timeZone} />
          <PartyFields before={party} refused={refused} templates={templates} />
          <p className="text-muted">
            <Trans>
              If you change the title, the time, the address or the map link: <HowAllTold ways={ways} />
            </Trans>
          </p>
          <div className="flex flex-wrap gap-3">
            <Submit>{t`Submit party`}</Submit>
            <ButtonLink quiet to={paths.manageParty(party.id)}>
              {t`Back`}
            </ButtonLink>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}
