import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Done } from '../../components/Card';
import { Face } from '../../components/Face';
import { Chips } from '../../components/forms/Chips';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { AddressField, OwnPhoneField } from '../../components/forms/PlaceFields';
import { useRefusals } from '../../components/forms/refusal';
import { FirstRun } from '../../components/frame/FirstRun';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { OnYourSite } from '../../components/OnYourSite';
import { QrCode } from '../../components/QrCode';
import { OfferFacts } from '../../components/ServiceLinks';
import { BookingLink } from '../../components/times/BookingLink';
import { useWords } from '../../components/words';
import { getRules, setRules } from '../../domain/bookings/own-rules.server';
import { invalid, notLoggedIn } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { changedProfile, profileChange } from '../../domain/profile/accounts';
import { editProfile } from '../../domain/profile/accounts.server';
import { type Colour, colours } from '../../domain/profile/looks';
import { lookChange, sitesChange } from '../../domain/profile/rules';
import type { Service } from '../../domain/services/services';
import { listServices } from '../../domain/services/services.server';
import type { Words } from '../../domain/words/words';
import { fields, wordsIn } from '../../http/form.server';
import { pageForSite } from '../../http/framed.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Your booking page`);

export const loader = pageLoader('Provider', async (context, { url }) => {
  const { db, actor, viewer, now } = context;
  context.showsFrame = true;
  const [account, services, { colour, head, embedOn }] = await Promise.all([
    viewer(),
    listServices(db, actor),
    getRules(db, actor, now),
  ]);
  if (!account) throw notLoggedIn();
  const { displayName, username, location, description, address, phone } = account;
  return {
    displayName,
    location,
    description,
    address,
    phone,
    colour,
    head,
    embedOn,
    services: services.filter(({ isOffered }) => isOffered),
    site: pageForSite(url.origin, username ?? ''),
    path: paths.provider(username ?? ''),
    isFirst: url.searchParams.has('start'),
  };
});

/**
 * Saves how the page looks, the sites that may show it, or the address and the phone number; the one that the form didn't
 * ask for stays.
 */
export const action = formAction('Provider', async (context, typed, { url }) => {
  const { db, viewer, actor, now, isLocal } = context;
  const intent = typed.intent?.[0];
  if (intent !== 'look' && intent !== 'place' && intent !== 'sites')
    throw invalid(null, msg`Say what to change on your page.`);
  if (intent === 'look') await setRules(db, actor, parse(lookChange, fields(typed)), now);
  else if (intent === 'sites') {
    await setRules(db, actor, parse(sitesChange, { embedOn: wordsIn(typed, 'embedOn') }), now, { isLocal });
  } else {
    const account = await viewer();
    if (!account) throw notLoggedIn();
    const { address, phone } = parse(profileChange, fields(typed));
    await editProfile(db, actor, changedProfile(account, { address, phone }), now);
  }
  return redirect(paths.yourPage({ start: url.searchParams.get('start'), saved: 'yes' }), 303);
});

const colourWords: Record<Colour, Words> = {
  red: msg`Red`,
  blue: msg`Blue`,
  green: msg`Green`,
  plum: msg`Plum`,
  gold: msg`Gold`,
  slate: msg`Slate`,
};

/** Shows the address of a provider's page to share, as a link and as a QR code, and the page as clients see it. */
export default function YourPage() {
  const { displayName, location, description, address, phone, colour, head, embedOn, services, site, path, isFirst } =
    useLoaderData<typeof loader>();
  const { refused, refusedFor } = useRefusals();
  const words = useWords();
  const { t } = useLingui();
  return (
    <Page title={t`Your booking page`} subtitle={displayName}>
      {isFirst && <FirstRun at={2} />}
      <ErrorSummary refused={refused} />
      {!refused && <Done what="saved">{t`It stands on your page.`}</Done>}
      <div className="desk">
        <div>
          <Card title={t`What clients see`}>
            <div className={`hue-${colour} grid gap-4`}>
              <div className="plate">
                <Face name={displayName} />
                <div className="grid gap-1">
                  <p className="font-serif text-xl font-semibold">{displayName}</p>
                  <p className="text-muted">{location}</p>
                  {description && <p className="break-words whitespace-pre-line">{description}</p>}
                  {(address || phone) && <p className="break-words">{[address, phone].filter(Boolean).join(' · ')}</p>}
                </div>
              </div>
              {services.length > 0 && <Offers services={services} />}
              <div className="flex flex-wrap gap-3">
                <ButtonLink quiet={isFirst} to={path}>
                  {t`Open your page`}
                </ButtonLink>
                <ButtonLink quiet to={paths.profile()}>
                  {t`Change the words`}
                </ButtonLink>
              </div>
            </div>
          </Card>
          {!(address && phone) && (
            <Card title={t`Where people find you`}>
              <PostForm className="grid gap-5">
                {!address && <AddressField refused={refusedFor('place')} />}
                {!phone && <OwnPhoneField refused={refusedFor('place')} />}
                <div>
                  <Submit quiet name="intent" value="place">
                    {t`Put it on your page`}
                  </Submit>
                </div>
              </PostForm>
            </Card>
          )}
          <Card id="look" title={t`How it looks`}>
            <PostForm className="grid gap-5">
              <Chips
                name="colour"
                label={t`Colour`}
                chosen={[colour]}
                refused={refusedFor('look')}
                chips={colours.map((hue) => ({
                  value: hue,
                  words: (
                    <>
                      <span className={`swatch hue-${hue}`} />
                      {words(colourWords[hue])}
                    </>
                  ),
                }))}
              />
              <Chips
                name="head"
                label={t`Above the name`}
                chosen={[head]}
                refused={refusedFor('look')}
                help={t`Flags suit a party or a shop, and not a doctor.`}
                chips={[
                  { value: 'plain', words: t`Nothing` },
                  { value: 'festive', words: t`Flags, as over an invitation` },
                ]}
              />
              <div>
                <Submit quiet name="intent" value="look">
                  {t`Save the look`}
                </Submit>
              </div>
            </PostForm>
          </Card>
          <OnYourSite {...site} displayName={displayName} sites={embedOn} refused={refusedFor('sites')} />
        </div>
        <div>
          <Card title={t`Share it`}>
            <BookingLink link={site.link} />
            <QrCode {...site.qr} />
            {isFirst && (
              <div>
                <ButtonLink to={paths.home()}>{t`Done: go to today`}</ButtonLink>
              </div>
            )}
          </Card>
        </div>
      </div>
    </Page>
  );
}

const Offers = ({ services }: { services: Service[] }) => (
  <ul className="offers">
    {services.map((service) => (
      <li key={service.id}>
        <OfferFacts {...service} />
      </li>
    ))}
  </ul>
);
