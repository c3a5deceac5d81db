import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { RegistrationFields } from '../../components/forms/RegistrationFields';
import { useRefusal } from '../../components/forms/refusal';
import { HomeLink, Page } from '../../components/frame/Page';
import { letterTitled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { DomainError, invalid, notLoggedIn, type Refusal } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { credentials } from '../../domain/profile/accounts';
import { ruleNames } from '../../domain/profile/rule-words';
import { shopRoleMeanings, shopRoleWords } from '../../domain/shop/colleagues';
import { houseRules, houseRulesOf } from '../../domain/shop/house-rules';
import { findInvitation, getInvitation, join, linkOver } from '../../domain/shop/joining.server';
import type { Context } from '../../http/context';
import { fields, onceOf, type Typed } from '../../http/form.server';
import { authenticate } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import { registerHere } from '../../http/register.server';
import * as paths from '../../paths';

export const meta = letterTitled(msg`Join a shop`, msg`An invitation to work with colleagues under one name.`);

export const loader = pageLoader('anyone', async ({ db, now, viewer, hasMail }, { params: { key = '' } }) => {
  const [{ rules, ...invitation }, reader] = await Promise.all([getInvitation(db, key, now), viewer()]);
  return {
    ...invitation,
    houseSets: houseRules.filter((name) => houseRulesOf(rules)[name] !== null),
    login: paths.login({ to: paths.join(key) }),
    hasMail,
    reader: reader && (reader.role === 'Provider' ? 'provider' : 'client'),
  };
});

/** Joins, as whoever is logged in or as somebody who registers in the same form. */
export const action = formAction('anyone', async (context, typed, { params: { key = '' } }) => {
  const { db, actor, now, hasMail } = context;
  const shop = paths.shop({ saved: 'join' });
  switch (typed.intent?.[0]) {
    case 'join':
      if (!actor) throw notLoggedIn();
      await join(db, actor, key, now);
      return redirect(shop, 303);
    case 'register': {
      const { actor: newGuest, withheldQuestion } = await registerFor(context, typed, key);
      await join(db, newGuest, key, now);
      return redirect(withheldQuestion && hasMail ? paths.email({ asked: 'yes', to: shop }) : shop, 303);
    }
    default:
      throw invalid(null, msg`Please use one of the buttons of this page.`);
  }
});

/** The new guest is where the shop is, and goes by its clock. */
async function registerFor(context: Context, typed: Typed, key: string) {
  const invitation = await findInvitation(context.db, key, context.now);
  if (!invitation) throw linkOver();
  const input = fields(typed);
  if (invitation.isUsed) {
    // Whoever sends the form twice has used it.
    const login = { credentials: parse(credentials, input), join: false };
    const { actor } = await authenticate(context, login).catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'unauthenticated' ? linkOver() : error;
    });
    return { actor, withheldQuestion: null };
  }
  const { timeZone, location } = invitation;
  return registerHere(context, { ...input, role: 'Provider', timeZone, location }, onceOf(typed));
}

export default function Join() {
  const { displayName, location, host, role, houseSets, reader, login, hasMail, timeZone } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const words = useWords();
  const { t } = useLingui();
  const what = words(shopRoleWords[role]);
  return (
    <Page
      title={t`Join ${displayName}`}
      subtitle={location}
      // Beside the links of the first page a long name has no room on a phone; the way to log in is below.
      corner={reader ? undefined : <HomeLink />}
      breaksAnywhere
    >
      <ErrorSummary refused={refused} />
      <Card title={t`You are invited`}>
        <p className="max-w-prose">
          <Trans>
            {host} invites you to {displayName}. Your role there: {what}.
          </Trans>{' '}
          {words(shopRoleMeanings[role])}
        </p>
        <ul className="grid max-w-prose list-disc gap-2 ps-5">
          <li>
            {t`An existing book comes along whole, and it stays yours: when you leave, it goes with you, with all its appointments.`}
          </li>
          <li>
            {t`Desk and owners see and change your appointments, free times, hours and services, and the cards of your clients.`}
          </li>
          <li>
            {t`Nobody there sees your password, your e-mail address, your parties, your news or your other calendars.`}
          </li>
          <li>{t`When you leave, desk and owners still see the appointments that you had there, and nothing of what comes after.`}</li>
          {houseSets.length > 0 && (
            <li>
              {t`The shop sets these rules for everybody in it, and your own come back when you leave:`}
              <ul className="list-['–_'] ps-5">
                {houseSets.map((name) => (
                  <li key={name}>{words(ruleNames[name])}</li>
                ))}
              </ul>
            </li>
          )}
        </ul>
      </Card>
      {reader === 'provider' ? (
        <PostForm>
          <Submit name="intent" value="join">{t`Join`}</Submit>
        </PostForm>
      ) : (
        <NoProvider
          isClient={reader === 'client'}
          login={login}
          hasMail={hasMail}
          timeZone={timeZone}
          refused={refused}
        />
      )}
    </Page>
  );
}

type NoProviderProps = { isClient: boolean; login: string; hasMail: boolean; timeZone: string; refused?: Refusal };

function NoProvider({ isClient, login, hasMail, timeZone, refused }: NoProviderProps) {
  const { t } = useLingui();
  return (
    <div className="columns">
      <Card title={t`New here`}>
        {isClient && (
          <p>{t`You are logged in as a client. To join, make an account that offers appointments, or log in to one.`}</p>
        )}
        <p className="text-muted">{t`You are registered where the shop is, and by its clock: ${timeZone}.`}</p>
        <PostForm className="grid max-w-xl gap-5">
          <RegistrationFields hasMail={hasMail} refused={refused} />
          <div>
            <Submit name="intent" value="register">
              {t`Register and join`}
            </Submit>
          </div>
        </PostForm>
      </Card>
      <Card title={t`You offer appointments here already`}>
        <p>{t`Log in and come back here. Your book comes along.`}</p>
        <div>
          <ButtonLink quiet to={login}>
            {t`Log in`}
          </ButtonLink>
        </div>
      </Card>
    </div>
  );
}
