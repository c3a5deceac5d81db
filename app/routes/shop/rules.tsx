import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { SaveBar, savedId } from '../../components/forms/SaveBar';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { GroupsOfRules, noReminder, RuleFields } from '../../components/RuleFields';
import { setHouseRules } from '../../domain/bookings/house-rules.server';
import { parse } from '../../domain/input/fields';
import { houseRulesChange } from '../../domain/shop/house-rules';
import { getShop, refuseOthers } from '../../domain/shop/shops.server';
import { fields, type Typed } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Rules of the shop`);

export const loader = pageLoader('Provider', async ({ db, actor }, { url }) => {
  const shop = await getShop(db, actor);
  refuseOthers({ isLoggedIn: 1 }, shop);
  const { displayName, rules } = shop;
  return { displayName, rules, isSaved: url.searchParams.has('saved') };
});

/** In the form, what is empty is each their own. */
function rulesIn(typed: Typed) {
  const { reminders, ...others } = typed;
  const input = Object.entries(fields(others)).map(([name, value]) => [name, value === '' ? null : value]);
  const chosen = reminders?.filter((one) => one !== '');
  const times = chosen?.filter((one) => one !== noReminder);
  return { ...Object.fromEntries(input), ...(chosen && { reminders: chosen.length > 0 ? times : null }) };
}

export const action = formAction('Provider', async ({ db, actor, now }, typed) => {
  await setHouseRules(db, actor, parse(houseRulesChange, rulesIn(typed)), now);
  return redirect(`${paths.shopRules({ saved: 'yes' })}#${savedId}`, 303);
});

export default function RulesOfShop() {
  const { displayName, rules, isSaved } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  return (
    <Page title={t`Rules of the shop`} subtitle={<bdi>{displayName}</bdi>}>
      <ErrorSummary refused={refused} />
      <p className="max-w-prose">
        {t`What you set here holds for everybody in the shop, and they can't change it. Their own rules come back when you leave a rule to each again, and when somebody leaves the shop.`}
      </p>
      <GroupsOfRules />
      <PostForm className="grid gap-6" preventScrollReset>
        <RuleFields rules={rules} refused={refused} />
        <SaveBar
          done={isSaved && !refused && <p className="done font-semibold">{t`The rules of the shop are saved.`}</p>}
        >
          <Submit>{t`Save rules`}</Submit>
        </SaveBar>
      </PostForm>
      <p>
        <TextLink to={paths.shop()}>{t`Back to the shop`}</TextLink>
      </p>
    </Page>
  );
}
