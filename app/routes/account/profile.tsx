import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json, redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Button, ButtonLink, TextLink } from '../../components/Button';
import { Card, Facts, Notice } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { EndKeys } from '../../components/forms/EndKeys';
import { TextArea, TextField } from '../../components/forms/Field';
import { EnterSubmits, PostForm, Submit } from '../../components/forms/Form';
import { GuestNotice } from '../../components/forms/GuestNotice';
import { LanguageSelect } from '../../components/forms/LanguageSelect';
import { CurrentPassword, PasswordField } from '../../components/forms/PasswordField';
import { AddressField, OwnPhoneField } from '../../components/forms/PlaceFields';
import { useRefusals } from '../../components/forms/refusal';
import { ZoneSelect } from '../../components/forms/ZoneSelect';
import { Page } from '../../components/frame/Page';
import { ThreeSteps } from '../../components/frame/ThreeSteps';
import { titled } from '../../components/frame/titled';
import { EndFeeds } from '../../components/times/EndFeeds';
import { useWords } from '../../components/words';
import { findOwnFeed } from '../../domain/calendar/feeds.server';
import { invalid, notLoggedIn } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { limits, passwordRule } from '../../domain/input/limits';
import { changePassword, logOutEverywhere } from '../../domain/login/change-password.server';
import { listKeys } from '../../domain/login/keys.server';
import { changedProfile, consumerProfile, passwordChange, providerProfile } from '../../domain/profile/accounts';
import { editProfile } from '../../domain/profile/accounts.server';
import { payeeForm, payeeIn } from '../../domain/profile/payee';
import { findShop } from '../../domain/shop/shops.server';
import { hasPublished } from '../../domain/slots/has-published.server';
import { commonZones, listZones } from '../../domain/time/zones';
import { type Language, languages } from '../../domain/words/languages';
import type { Words } from '../../domain/words/words';
import { fields, onceOf } from '../../http/form.server';
import { originOf, setSession } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { PayeeFields } from './PayeeFields';
import { roleWords } from './roles';

export const meta = titled(msg`Profile`);

export const loader = pageLoader('member', async ({ db, links, actor, viewer, hasMail }, { url }) => {
  const [account, feed, keys, isPublic, shop] = await Promise.all([
    viewer(),
    findOwnFeed(db, links, actor),
    listKeys(db, actor),
    actor.role !== 'Provider' || hasPublished(db, actor),
    actor.role === 'Provider' ? findShop(db, actor) : undefined,
  ]);
  if (!account) throw notLoggedIn();
  const { displayName, username, role, location, description, address, phone, payBy, timeZone, lang, email } = account;
  return {
    profile: { displayName, username, role, location, description, address, phone, payBy, timeZone, lang, email },
    zones: commonZones(timeZone),
    hasMail,
    hasFeed: feed !== undefined,
    hasKeys: keys.length > 0,
    isNew: !isPublic,
    shop: shop?.displayName ?? null,
    saved: url.searchParams.get('saved'),
  };
});

export const action = formAction('member', async (context, typed) => {
  const { db, actor, passwords, links, now, session, cookies, events, device, viewer } = context;
  if (typed.zones)
    return json({ faults: [], typed: { ...typed, intent: ['profile'] }, all: listZones(actor.timeZone) });
  switch (typed.intent?.[0]) {
    case 'profile': {
      const schema = actor.role === 'Provider' ? providerProfile : consumerProfile;
      const changed = await editProfile(db, actor, parse(schema, fields(typed)), now);
      await setSession(context, changed.actor);
      return redirect(paths.profile({ saved: 'profile' }), 303);
    }
    case 'paying': {
      const account = await viewer();
      if (!account) throw notLoggedIn();
      const change = payeeIn(parse(payeeForm, fields(typed)));
      await editProfile(db, actor, changedProfile(account, change), now);
      return redirect(paths.profile({ saved: 'paying' }), 303);
    }
    case 'password': {
      const change = parse(passwordChange, fields(typed));
      const once = { now, device, key: onceOf(typed), origin: await originOf(context) };
      const changed = await changePassword(db, passwords, links, actor, change, once);
      await setSession(context, changed.actor);
      events.push('password changed');
      return redirect(paths.profile({ saved: 'password' }), 303);
    }
    case 'everywhere':
      await logOutEverywhere(db, actor, now);
      events.push('session ended');
      cookies.push(await session.drop());
      return redirect(paths.home(), 303);
    default:
      throw invalid(null, msg`Please use one of the buttons of this page.`);
  }
});

const savedWords: Record<string, Words> = {
  profile: msg`Your profile is saved.`,
  paying: msg`Saved: this is how deposits are paid.`,
  password: msg`Your password is changed. Every other device is logged out.`,
};

export default function Profile() {
  const { profile, zones, hasMail, hasFeed, hasKeys, isNew, shop, saved } = useLoaderData<typeof loader>();
  const { refused, refusedFor } = useRefusals();
  const { displayName, username, role, location, description, address, phone, payBy, timeZone, lang, email } = profile;
  const words = useWords();
  const { t } = useLingui();
  const rule = words(passwordRule);
  return (
    <Page title={t`Profile`} subtitle={displayName}>
      {saved && savedWords[saved] && !refused && <Notice tone="good" title={words(savedWords[saved])} />}
      {isNew && <ThreeSteps />}
      <div className="columns">
        <Card>
          <Facts
            facts={[
              [t`Name`, displayName],
              ...(username ? [[t`Username`, username] as [string, string]] : []),
              [t`Role`, username ? words(roleWords[role]) : t`Guest`],
              ...(email ? [[t`E-mail`, email] as [string, string]] : []),
              ...(location ? [[t`City`, location] as [string, string]] : []),
              ...(description ? [[t`Description`, description] as [string, string]] : []),
              ...(address ? [[t`Address`, address] as [string, string]] : []),
              ...(phone ? [[t`Phone`, phone] as [string, string]] : []),
              [t`Time zone`, timeZone],
              ...(lang ? [[t`Language`, languages[lang as Language]] as [string, string]] : []),
            ]}
          />
          <Fold summary={t`Edit profile`} isOpen={refusedFor('profile') !== undefined}>
            <PostForm className="grid max-w-xl gap-5 py-3">
              <EnterSubmits name="intent" value="profile" />
              <TextField
                name="displayName"
                label={t`Full name or company name`}
                defaultValue={displayName}
                required
                maxLength={limits.displayName}
                refused={refusedFor('profile')}
              />
              {role === 'Provider' && (
                <>
                  <TextField
                    name="location"
                    label={t`City`}
                    defaultValue={location ?? ''}
                    required
                    maxLength={limits.location}
                    refused={refusedFor('profile')}
                    help={t`Your free times move with you.`}
                  />
                  <TextArea
                    name="description"
                    label={t`Description`}
                    placeholder={t`Explain your services`}
                    defaultValue={description ?? ''}
                    maxLength={limits.description}
                    refused={refusedFor('profile')}
                    isOptional
                  />
                  <AddressField address={address} refused={refusedFor('profile')} />
                  <OwnPhoneField phone={phone} refused={refusedFor('profile')} />
                </>
              )}
              <ZoneSelect
                zones={zones}
                all={refused && 'all' in refused ? (refused.all as string[]) : undefined}
                defaultValue={timeZone}
                refused={refusedFor('profile')}
              />
              <LanguageSelect lang={lang} refused={refusedFor('profile')} />
              <div>
                <Submit name="intent" value="profile">
                  {t`Save profile`}
                </Submit>
              </div>
            </PostForm>
          </Fold>
          {role === 'Provider' && (
            <Fold summary={t`How deposits are paid`} isOpen={refusedFor('paying') !== undefined}>
              <PostForm className="grid max-w-xl gap-5 py-3">
                <PayeeFields payee={payBy} refused={refusedFor('paying')} />
                <div>
                  <Submit name="intent" value="paying">
                    {t`Save how deposits are paid`}
                  </Submit>
                </div>
              </PostForm>
            </Fold>
          )}
          {hasMail && (
            <p>
              <TextLink to={paths.email()}>
                {email ? t`E-mail address, and which mails you get` : t`Get mail: give an address`}
              </TextLink>
            </p>
          )}
          {!username && <GuestNotice />}
          {role === 'Provider' && (
            <div className="flex flex-wrap gap-3">
              <ButtonLink quiet to={paths.home()}>
                {t`Go to today`}
              </ButtonLink>
              {!isNew && (
                <ButtonLink quiet to={paths.services({ start: 'yes' })}>
                  {t`Set up your page in three steps`}
                </ButtonLink>
              )}
            </div>
          )}
          {role === 'Provider' && (
            <p>
              {shop ? (
                <Trans>
                  You work in a shop: <TextLink to={paths.shop()}>{shop}</TextLink>
                </Trans>
              ) : (
                <TextLink to={paths.shop()}>{t`Work with colleagues?`}</TextLink>
              )}
            </p>
          )}
          <p>
            <Trans>
              <TextLink to={paths.feeds()}>Your calendar</TextLink>: see what you have here in the calendar of your
              phone.
            </Trans>
          </p>
          <p>
            <Trans>
              <TextLink to={paths.yourData()}>Your data</TextLink>: download it, or delete your account.
            </Trans>
          </p>
        </Card>
        {username && (
          <Card title={t`Password and login`}>
            <Fold summary={t`Change password`} isOpen={refusedFor('password') !== undefined}>
              <PostForm className="grid max-w-xl gap-5 py-3">
                <CurrentPassword refused={refusedFor('password')} />
                <PasswordField
                  name="newPassword"
                  label={t`New password`}
                  autoComplete="new-password"
                  required
                  is="new"
                  minLength={limits.password.min}
                  maxLength={limits.password.max}
                  refused={refusedFor('password')}
                  help={t`${rule} Every other device is logged out.`}
                />
                {hasFeed && <EndFeeds refused={refusedFor('password')} />}
                {hasKeys && <EndKeys refused={refusedFor('password')} />}
                <div>
                  <Submit name="intent" value="password">
                    {t`Change password`}
                  </Submit>
                </div>
              </PostForm>
            </Fold>
            <Fold summary={t`If you lose your password`} isOpen={false}>
              <p className="py-3">
                {hasMail ? (
                  <Trans>
                    When you lose the password, a <TextLink to={paths.recoveryCodes()}>recovery code</TextLink> or a
                    mail to your address lets you set a new one.
                  </Trans>
                ) : (
                  <Trans>
                    When you lose the password, a <TextLink to={paths.recoveryCodes()}>recovery code</TextLink> lets you
                    set a new one.
                  </Trans>
                )}
              </p>
            </Fold>
            <Fold summary={t`Second factor`} isOpen={false}>
              <p className="py-3">
                <Trans>
                  Your login can ask for <TextLink to={paths.secondFactor()}>a code of your phone</TextLink> beside the
                  password.
                </Trans>
              </p>
            </Fold>
            <Fold summary={t`Keys for programs`} isOpen={false}>
              <p className="py-3">
                <Trans>
                  A program of yours can use your account with <TextLink to={paths.keys()}>a key</TextLink>.
                </Trans>
              </p>
            </Fold>
            {role === 'Provider' && (
              <Fold summary={t`Webhooks`} isOpen={false}>
                <p className="py-3">
                  <Trans>
                    A program of yours can be told what happens here, by{' '}
                    <TextLink to={paths.webhooks()}>a webhook</TextLink>.
                  </Trans>
                </p>
              </Fold>
            )}
            <Fold summary={t`Log out everywhere`} isOpen={false}>
              <PostForm className="grid justify-items-start gap-2 py-3">
                <p className="text-muted">
                  <Trans>
                    Ends your login on every device, this one too. To end a single one, see{' '}
                    <TextLink to={paths.devices()}>your devices</TextLink>.
                  </Trans>
                </p>
                {hasKeys && (
                  <p className="text-muted">
                    <Trans>
                      Your programs stay logged in by their <TextLink to={paths.keys()}>keys</TextLink>.
                    </Trans>
                  </p>
                )}
                <Button ends="logout" name="intent" value="everywhere">
                  {t`Log out everywhere`}
                </Button>
              </PostForm>
            </Fold>
          </Card>
        )}
      </div>
    </Page>
  );
}
