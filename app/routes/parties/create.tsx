import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { EventFields, LostQuestions, PartyFields } from '../../components/forms/EventFields';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { notLoggedIn } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { createParty } from '../../domain/parties/hosting.server';
import { getOwnParty } from '../../domain/parties/parties.server';
import { partyInput, wrongDates } from '../../domain/parties/party-input';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { fields, inShownZone, onceOf, withWireDates } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Create Party`);

export const loader = pageLoader('Provider', async ({ db, actor, viewer }, { url }) => {
  const copied = url.searchParams.get('copy');
  const [account, templates, copy] = await Promise.all([
    viewer(),
    listTemplateNames(db, actor),
    copied ? getOwnParty(db, actor, 'party', copied) : undefined,
  ]);
  if (!account) throw notLoggedIn();
  const isAsked = templates.some(({ id }) => id === copy?.templateId);
  return {
    zone: account.timeZone,
    templates,
    copy: copy && { ...copy, date: '', rsvpBy: null, templateId: isAsked ? copy.templateId : null },
    isWithoutQuestions: Boolean(copy?.templateId) && !isAsked,
  };
});

export const action = formAction('Provider', async ({ db, now, ...context }, typed) => {
  const actor = inShownZone(context.actor, typed);
  const form = withWireDates(fields(typed), 'date', 'rsvpBy');
  const input = parse(partyInput, form, () => wrongDates(actor, form, now));
  const party = await createParty(db, actor, input, { now, key: onceOf(typed) });
  return redirect(paths.home({ party: party.id }), 303);
});

export default function CreateParty() {
  const { zone, templates, copy, isWithoutQuestions } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const title = copy?.title;
  return (
    <Page title={t`Create Party`}>
      <ErrorSummary refused={refused} />
      <Card title={copy && t`A copy of ${title}`}>
        {isWithoutQuestions && <LostQuestions />}
        <PostForm key={copy?.id} className="grid max-w-2xl gap-5">
          <input type="hidden" name="zone" value={zone} />
          <EventFields before={copy} refused={refused} zone={zone} />
          <PartyFields before={copy} refused={refused} templates={templates} />
          <div>
            <Submit>{t`Create party`}</Submit>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}
