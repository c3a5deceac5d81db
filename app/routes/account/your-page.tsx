import { useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { Face } from '../../components/Face';
import { FirstRun } from '../../components/frame/FirstRun';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { QrCode } from '../../components/QrCode';
import { BookingLink } from '../../components/times/BookingLink';
import { getRules } from '../../domain/bookings/own-rules.server';
import { notLoggedIn } from '../../domain/errors';
import { qrCodeOf } from '../../domain/qr-code.server';
import type { Service } from '../../domain/services/services';
import { listServices } from '../../domain/services/services.server';
import { lengthWords } from '../../domain/time/clock';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('Your booking page');

export const loader = pageLoader('Provider', async ({ db, actor, viewer, now }, { url }) => {
  const [account, services, { colour }] = await Promise.all([
    viewer(),
    listServices(db, actor),
    getRules(db, actor, now),
  ]);
  if (!account) throw notLoggedIn();
  const { displayName, username, location, description } = account;
  const path = paths.provider(username ?? '');
  const link = url.origin + path;
  return {
    displayName,
    location,
    description,
    colour,
    services: services.filter(({ isOffered }) => isOffered),
    link,
    qr: qrCodeOf(link),
    path,
    isFirst: url.searchParams.has('start'),
  };
});

/** Shows the address of a provider's page to share, as a link and as a QR code, and the page as clients see it. */
export default function YourPage() {
  const { displayName, location, description, colour, services, link, qr, path, isFirst } =
    useLoaderData<typeof loader>();
  return (
    <Page title="Your booking page" subtitle={displayName}>
      {isFirst && <FirstRun at={2} />}
      <div className="desk">
        <div>
          <Card title="What clients see" aside={<TextLink to={paths.rules()}>Colour and flags</TextLink>}>
            <div className={`hue-${colour} grid gap-4`}>
              <div className="plate">
                <Face name={displayName} />
                <div className="grid gap-1">
                  <p className="font-serif text-xl font-semibold">{displayName}</p>
                  <p className="text-muted">{location}</p>
                  {description && <p className="break-words whitespace-pre-line">{description}</p>}
                </div>
              </div>
              {services.length > 0 && <Offers services={services} />}
              <div className="flex flex-wrap gap-3">
                <ButtonLink to={path}>Open your page</ButtonLink>
                <ButtonLink quiet to={paths.profile()}>
                  Change the words
                </ButtonLink>
              </div>
            </div>
          </Card>
        </div>
        <div>
          <Card title="Share it">
            <BookingLink link={link} />
            <QrCode {...qr} />
            {isFirst && (
              <div>
                <ButtonLink to={paths.home()}>Done: go to today</ButtonLink>
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
    {services.map(({ id, name, minutes, price }) => (
      <li key={id}>
        <b>{name}</b> <b>{price}</b> <small>{lengthWords(minutes)}</small>
      </li>
    ))}
  </ul>
);
