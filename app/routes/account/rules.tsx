import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextAction } from '../../components/Button';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { SaveBar, savedId } from '../../components/forms/SaveBar';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { GroupsOfRules, RuleFields } from '../../components/RuleFields';
import { findHouse, getRules, setRules } from '../../domain/bookings/own-rules.server';
import { parse } from '../../domain/input/fields';
import { rulesAndReminders } from '../../domain/profile/reminders';
import { todayIn } from '../../domain/time/zones';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Rules`);

export const loader = pageLoader('Provider', async ({ db, actor, now }, { url }) => {
  const [rules, house] = await Promise.all([getRules(db, actor, now), findHouse(db, actor)]);
  return { rules, house, today: todayIn(actor.timeZone, now), isSaved: url.searchParams.has('saved') };
});

export const action = formAction('Provider', async ({ db, actor, now, isLocal }, typed) => {
  const input = fields(typed, ...(typed.reminders ? ['reminders'] : []));
  await setRules(db, actor, parse(rulesAndReminders, input), now, { isLocal });
  return redirect(`${paths.rules({ saved: 'yes' })}#${savedId}`, 303);
});

export default function RulesPage() {
  const { rules, house, today, isSaved } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  return (
    <Page title={t`Rules`} subtitle={t`Who may book, when, and how much`}>
      <ErrorSummary refused={refused} />
      <GroupsOfRules>
        <TextAction to={`${paths.yourPage()}#look`} icon="page">
          {t`How your page looks`}
        </TextAction>
      </GroupsOfRules>
      <PostForm className="grid gap-6" preventScrollReset>
        <RuleFields rules={rules} refused={refused} own={{ today, partiesBlock: rules.partiesBlock, house }} />
        <SaveBar done={isSaved && !refused && <p className="done font-semibold">{t`Your rules are saved.`}</p>}>
          <Submit>{t`Save rules`}</Submit>
        </SaveBar>
      </PostForm>
    </Page>
  );
}
