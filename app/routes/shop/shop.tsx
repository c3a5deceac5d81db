import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json, redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { bookPaths } from '../../book-paths';
import { BackToProfile } from '../../components/BackToProfile';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, type Fact, Facts, Notice } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { Fold } from '../../components/Fold';
import { Chips } from '../../components/forms/Chips';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { CurrentPassword } from '../../components/forms/PasswordField';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { OnYourSite } from '../../components/OnYourSite';
import { useWords } from '../../components/words';
import { invalid, notLoggedIn, type Refusal } from '../../domain/errors';
import { leaving } from '../../domain/hand-over/hand-over';
import { leaveWith } from '../../domain/hand-over/leave.server';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import {
  sendWords,
  type WithheldMail as Withheld,
  withheldReason,
  withheldWords,
} from '../../domain/mail/withheld-mail';
import { sitesChange } from '../../domain/profile/rules';
import { moveInList } from '../../domain/services/services';
import { mostPeople, type ShopRole, shopRoleMeanings, shopRoles, shopRoleWords } from '../../domain/shop/colleagues';
import { findOwnShop, invite, sendWithheldInvitation, uninvite } from '../../domain/shop/joining.server';
import {
  colleagueChange,
  colleagueName,
  invitationId,
  shopChange,
  shopClosing,
  shopInvitation,
  shopOpening,
} from '../../domain/shop/shops';
import { closeShop, editShop, getShop, openShop, orderPeople, setColleague } from '../../domain/shop/shops.server';
import { dateWords, localDateOf } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
import { fields, onceOf, wordsIn } from '../../http/form.server';
import { pageForSite } from '../../http/framed.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { LeavingFields } from './LeavingFields';
import { PersonLine } from './PersonLine';
import { ShopFields } from './ShopFields';

export const meta = titled(msg`Your shop`);

export const loader = pageLoader('Provider', async (context, { url }) => {
  const { db, actor, now, viewer, hasMail } = context;
  const [own, account] = await Promise.all([findOwnShop(db, actor, now), viewer()]);
  if (!account) throw notLoggedIn();
  const { username, location, address, phone, timeZone } = account;
  context.showsFrame = true;
  return {
    me: username,
    // A new shop is probably where its owner is.
    place: { location: location ?? '', address, phone },
    timeZone,
    shop: own?.shop ?? null,
    hasFormer: own?.hasFormer ?? false,
    hasMail,
    invitations: (own?.invitations ?? []).map(({ id, role, email, until, withheld }) => ({
      id,
      role,
      email,
      withheld: hasMail ? withheld : null,
      until: dateWords(localDateOf(until, timeZone)).full,
    })),
    site: own && pageForSite(url.origin, own.shop.username),
    saved: url.searchParams.get('saved'),
  };
});

/** Does what the pressed button says. A new invitation is answered with its link, which is in no address. */
export const action = formAction('Provider', async (context, typed, { url }) => {
  const { db, links, passwords, actor, now, hasMail } = context;
  const [press] = typed.press ?? [];
  if (press) {
    const names = (await getShop(db, actor)).people.map(({ username }) => username);
    await orderPeople(db, actor, moveInList(names, press), now);
    return redirect(paths.shop(), 303);
  }
  const input = fields(typed);
  const intent = typed.intent?.[0];
  switch (intent) {
    case 'open':
      await openShop(db, actor, parse(shopOpening, input), { now, key: onceOf(typed) });
      break;
    case 'page':
      await editShop(db, actor, parse(shopChange, input), context);
      break;
    case 'sites':
      await editShop(db, actor, parse(sitesChange, { embedOn: wordsIn(typed, 'embedOn') }), context);
      break;
    case 'colleague': {
      const change = parse(colleagueChange, { ...input, takes: typed.takes !== undefined });
      await setColleague(db, actor, { ...parse(colleagueName, input), ...change }, now);
      break;
    }
    case 'remove':
      await leaveWith(db, actor, { ...parse(colleagueName, input), ...parse(leaving, input) }, context);
      break;
    case 'invite': {
      const invitation = parse(shopInvitation, input);
      const { key, role, email, withheld } = await invite(db, links, actor, invitation, { now, key: onceOf(typed) });
      return json({
        isShownOnce: true,
        link: url.origin + paths.join(key),
        role,
        mail: hasMail && email ? { to: email, withheld } : null,
      });
    }
    case 'send-mail':
      await sendWithheldInvitation(db, actor, parse(invitationId, input).id, now);
      break;
    case 'uninvite':
      await uninvite(db, actor, parse(invitationId, input).id, now);
      break;
    case 'leave':
      await leaveWith(db, actor, parse(leaving, input), context);
      break;
    case 'close':
      await closeShop(db, passwords, actor, parse(shopClosing, input), { now, origin: await originOf(context) });
      break;
    default:
      throw invalid(null, msg`Please use one of the buttons of this page.`);
  }
  return redirect(paths.shop({ saved: intent }), 303);
});

const savedWords: Record<string, Words> = {
  open: msg`Your shop is open.`,
  join: msg`You are in the shop now.`,
  page: msg`The shop's page is saved.`,
  sites: msg`The sites are saved.`,
  colleague: msg`That is saved.`,
  remove: msg`They are no longer in the shop. Their book stays theirs.`,
  uninvite: msg`That invitation is taken back.`,
  leave: msg`You have left the shop. Your book stays yours.`,
  close: msg`The shop is closed. Your book stays yours.`,
};

export default function OwnShop() {
  const { shop, saved, ...more } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const refused = useRefusal();
  const words = useWords();
  const { t } = useLingui();
  if (result && 'link' in result) return <Invited {...result} />;
  return (
    <Page title={t`Your shop`} subtitle={shop ? <bdi>{shop.displayName}</bdi> : t`Several people under one name`}>
      {saved && savedWords[saved] && !refused && <Notice tone="good" title={words(savedWords[saved])} />}
      <ErrorSummary refused={refused} />
      {shop ? <Open {...more} shop={shop} refused={refused} /> : <NoShop {...more} refused={refused} />}
      <p>
        <BackToProfile />
      </p>
    </Page>
  );
}

type InvitedProps = { link: string; role: ShopRole; mail: { to: string; withheld: Withheld | null } | null };

function Invited({ link, role, mail }: InvitedProps) {
  const words = useWords();
  const { t } = useLingui();
  const what = words(shopRoleWords[role]);
  return (
    <Page title={t`Your shop`}>
      {mail?.withheld && <Notice tone="warn" title={words(withheldWords(mail.withheld))} />}
      <Card title={t`An invitation: ${what}`}>
        {mail && !mail.withheld && <p className="break-words">{t`It is mailed to ${{ mailedTo: mail.to }}.`}</p>}
        <p className="max-w-prose">
          {mail && !mail.withheld
            ? t`You can hand this link on yourself too: it is shown only here. Whoever uses it first joins your shop. It is good for 14 days, and once.`
            : t`Hand this link on now: it is shown only here. Whoever uses it first joins your shop. It is good for 14 days, and once.`}
        </p>
        <CopyField label={t`Link to join`} value={link} />
        <p>
          <TextLink to={paths.shop()}>{t`Back to the shop`}</TextLink>
        </p>
      </Card>
    </Page>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;
type Parts = Omit<Loaded, 'shop' | 'saved' | 'shell'> & { refused: Refusal | undefined };

function NoShop({ place, timeZone, refused }: Parts) {
  const { t } = useLingui();
  return (
    <Card title={t`Open a shop`}>
      <p className="max-w-prose">
        <Trans>
          A shop has a page of its own. There, people book a person or whoever is free first. Each of you keeps a book
          of their own; you are the owner and invite the others. All of you go by one clock: {timeZone}.
        </Trans>
      </p>
      <p className="max-w-prose text-muted">
        <Trans>Do your colleagues have a shop already? Then ask its owner for a link to join.</Trans>
      </p>
      <PostForm className="grid max-w-xl gap-5">
        <ShopFields isNew shop={{ ...place, displayName: '', description: null }} refused={refused} />
        <div>
          <Submit name="intent" value="open">
            {t`Open the shop`}
          </Submit>
        </div>
      </PostForm>
    </Card>
  );
}

type OpenProps = Parts & { shop: NonNullable<Loaded['shop']> };

function Open({ me, shop, hasFormer, invitations, site, hasMail, refused }: OpenProps) {
  const { t } = useLingui();
  const facts = useFactsOf(shop);
  const { people, role } = shop;
  const isOwner = role === 'owner';
  const intent = refused?.typed.intent?.[0];
  const refusedFor = (name: string) => (intent === name ? refused : undefined);
  const changed = intent === 'colleague' || intent === 'remove' ? refused?.typed.username?.[0] : undefined;
  return (
    <div className="columns">
      <Card title={t`Its page`}>
        <Facts facts={facts} />
        {site && <CopyField label={t`Address of the page`} value={site.link} />}
        <div className="flex flex-wrap gap-3">
          <ButtonLink quiet to={paths.provider(shop.username)}>
            {t`Open the page`}
          </ButtonLink>
          {role !== 'colleague' && (
            <ButtonLink quiet to={paths.services({ of: shop.username })}>
              {t`Services of the shop`}
            </ButtonLink>
          )}
          {isOwner && (
            <ButtonLink quiet to={paths.shopRules()}>
              {t`Rules of the shop`}
            </ButtonLink>
          )}
        </div>
        {isOwner && (
          <Fold summary={t`Change the page`} isOpen={intent === 'page'}>
            <PostForm className="grid max-w-xl gap-5 py-3">
              <ShopFields shop={shop} refused={refusedFor('page')} />
              <div>
                <Submit name="intent" value="page">
                  {t`Save the page`}
                </Submit>
              </div>
            </PostForm>
          </Fold>
        )}
      </Card>
      <Card title={t`People`}>
        {role !== 'colleague' && (
          <p>
            <ButtonLink to={paths.shopDay()}>
              <Trans>The day of all</Trans>
            </ButtonLink>
          </p>
        )}
        <ol className="grid">
          {people.map((person, place) => (
            <PersonLine
              key={person.username}
              person={person}
              isMe={person.username === me}
              isOwner={isOwner}
              isDesk={role !== 'colleague'}
              refused={person.username === changed ? refused : undefined}
              book={role === 'colleague' || person.username === me ? null : bookPaths(person.username).day()}
              place={place}
              last={people.length - 1}
            />
          ))}
        </ol>
        {hasFormer && (
          <p>
            <TextLink to={paths.formerColleagues()}>{t`People who left`}</TextLink>
          </p>
        )}
      </Card>
      {isOwner && site && (
        <OnYourSite {...site} displayName={shop.displayName} sites={shop.embedOn} refused={refusedFor('sites')} />
      )}
      {isOwner && (
        <Invitations
          hasMail={hasMail}
          invitations={invitations}
          isFull={people.length >= mostPeople}
          refused={refusedFor('invite')}
        />
      )}
      {isOwner && people.length === 1 ? (
        <Close refused={refusedFor('close')} />
      ) : (
        <Leave isOwner={isOwner} refused={refusedFor('leave')} />
      )}
    </div>
  );
}

type ShownShop = OpenProps['shop'];

function useFactsOf({ displayName, location, address, phone, description, timeZone }: ShownShop): Fact[] {
  const { t } = useLingui();
  return [
    [t`Name`, displayName],
    [t`City`, location],
    ...(address ? [[t`Address`, address] as Fact] : []),
    ...(phone ? [[t`Phone`, phone] as Fact] : []),
    ...(description ? [[t`Description`, description] as Fact] : []),
    [t`Time zone`, timeZone],
  ];
}

type InvitationsProps = Pick<Parts, 'hasMail' | 'invitations' | 'refused'> & { isFull: boolean };

function Invitations({ hasMail, invitations, isFull, refused }: InvitationsProps) {
  const words = useWords();
  const { t } = useLingui();
  return (
    <Card title={t`Invitations`}>
      {invitations.length > 0 && (
        <ul className="grid">
          {invitations.map((invitation) => (
            <InvitationLine key={invitation.id} {...invitation} />
          ))}
        </ul>
      )}
      {isFull ? (
        <p>{t`The shop has as many people as one may have.`}</p>
      ) : (
        <PostForm className="grid max-w-xl gap-5">
          <Chips
            name="role"
            label={t`Invite somebody as`}
            chosen={['colleague']}
            refused={refused}
            chips={shopRoles.toReversed().map((role) => ({ value: role, words: words(shopRoleWords[role]) }))}
          />
          <ul className="grid gap-1 text-sm text-muted">
            {shopRoles.toReversed().map((role) => (
              <li key={role}>
                <strong>{words(shopRoleWords[role])}</strong>: {words(shopRoleMeanings[role])}
              </li>
            ))}
          </ul>
          <TextField
            name="email"
            type="email"
            label={t`E-mail address`}
            autoComplete="off"
            maxLength={limits.email}
            refused={refused}
            help={
              hasMail
                ? t`The link goes there by mail. Without an address you hand it on yourself.`
                : t`So that you know whose invitation it is. No mail is sent: you hand the link on yourself.`
            }
            isOptional
          />
          <div>
            <Submit name="intent" value="invite">
              {t`Make the link`}
            </Submit>
          </div>
        </PostForm>
      )}
    </Card>
  );
}

function InvitationLine({ id, role, email, until, withheld }: Parts['invitations'][number]) {
  const words = useWords();
  const { t } = useLingui();
  const what = words(shopRoleWords[role]);
  const lastDay = words(until);
  const send = withheld && sendWords(withheld);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-dashed border-rule py-3">
      <div className="grid min-w-0">
        <span className="font-semibold wrap-anywhere">{email ? <bdi>{email}</bdi> : what}</span>
        <span className="text-sm text-muted">
          {email && `${what} · `}
          {t`good until ${lastDay}`}
        </span>
        {withheld && <span className="text-sm text-accent">{words(withheldReason(withheld))}</span>}
      </div>
      <PostForm className="flex flex-wrap gap-3">
        <input type="hidden" name="id" value={id} />
        {send && (
          <Submit quiet name="intent" value="send-mail">
            {words(send)}
          </Submit>
        )}
        <Submit name="intent" value="uninvite" ends="off">
          <Trans>
            Take it back<span className="sr-only">: {email ?? what}</span>
          </Trans>
        </Submit>
      </PostForm>
    </li>
  );
}

function Leave({ isOwner, refused }: { isOwner: boolean; refused: Refusal | undefined }) {
  const { t } = useLingui();
  return (
    <Card title={t`Leave the shop`}>
      <p className="max-w-prose">
        <Trans>
          Your book goes with you. The desk of the shop still sees which appointments you have had there until now, and
          nothing else. You are no longer on its page.
        </Trans>
      </p>
      {isOwner && <p className="max-w-prose text-muted">{t`To close the shop, the others leave it first.`}</p>}
      <Fold ends="logout" summary={t`Leave the shop`} isOpen={refused !== undefined} className="no-print">
        <PostForm className="grid gap-4 py-3">
          <LeavingFields legend={t`Your coming appointments`} refused={refused} />
          <div>
            <Submit name="intent" value="leave">
              {t`Yes, leave the shop`}
            </Submit>
          </div>
        </PostForm>
      </Fold>
    </Card>
  );
}

function Close({ refused }: { refused: Refusal | undefined }) {
  const { t } = useLingui();
  return (
    <Card title={t`Close the shop`}>
      <p className="max-w-prose">
        <Trans>Its page and its name go, for good. Your own book stays as it is, with all its appointments.</Trans>
      </p>
      <Fold ends="off" summary={t`Close the shop`} isOpen={refused !== undefined} className="no-print">
        <PostForm className="grid max-w-xl gap-5 py-3">
          <CurrentPassword refused={refused} />
          <div>
            <Submit name="intent" value="close">
              {t`Yes, close it for good`}
            </Submit>
          </div>
        </PostForm>
      </Fold>
    </Card>
  );
}
