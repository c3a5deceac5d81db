import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { ScrollRegion } from '../../components/ScrollRegion';
import { audience, listCalls, pathOf } from '../../http/api.server';
import { pageLoader } from '../../http/page.server';

/** Commands for a shell that show what a program of a provider's does. Each may use what the ones before it have answered. */
function tourAt(origin: string) {
  const json = "-H 'Content-Type: application/json'";
  const byKey = '-H "Authorization: Bearer $KEY"';
  const curl = (...parts: string[]) => ['curl', ...parts].join(' \\\n  ');
  const call = (controller: string, name: string) => `"${origin + pathOf(controller, name)}"`;
  return {
    login: curl(
      '-c cookies.txt',
      json,
      `-d "{\\"username\\": \\"$USERNAME\\", \\"password\\": \\"$PASSWORD\\"}"`,
      call('Account', 'Login'),
    ),
    key: curl(
      '-b cookies.txt',
      json,
      `-d "{\\"name\\": \\"Till\\", \\"scope\\": \\"write\\", \\"password\\": \\"$PASSWORD\\"}"`,
      call('Account', 'MakeKey'),
    ),
    times: curl(byKey, call('Public', 'Slots?provider=$USERNAME')),
    book: curl(byKey, json, `-d '{"displayName": "Wanda"}'`, call('Appointment', 'BookFor?id=$SLOT')),
    cancel: curl('-X PUT', byKey, call('Appointment', 'Cancel?id=$BOOKING')),
    webhook: curl(
      '-b cookies.txt',
      json,
      `-d '{"url": "https://example.org/daybook", "kinds": ["booked", "canceled"]}'`,
      call('Account', 'MakeWebhook'),
    ),
  };
}

export const meta = titled(msg`API`, msg`Every call of the API: what it does, and who may make it.`);
export const handle = { isStatic: true };

export const loader = pageLoader('anyone', async (_, { url }) => ({
  tour: tourAt(url.origin),
  controllers: listCalls()
    .filter(({ calls }) => calls.length > 0)
    .map(({ controller, calls }) => ({
      controller,
      calls: calls.map((call) => ({ path: call.path, method: call.method, says: call.says, whose: audience(call) })),
    })),
}));

export default function Api() {
  const { tour, controllers } = useLoaderData<typeof loader>();
  const { t } = useLingui();
  return (
    <Page title={t`API`} subtitle={t`JSON in, JSON out`}>
      <p>
        <Trans>
          For tools: <TextLink to="/api/openapi.json">the OpenAPI document</TextLink>
        </Trans>
      </p>
      <Card title={t`A tour in five requests`}>
        <p>
          {t`For a provider's account. In a shell, put its name into USERNAME and its password into PASSWORD, and log in:`}
        </p>
        <Command label={t`Log in`} text={tour.login} />
        <ol className="grid list-decimal gap-5 ps-5">
          <Step says={t`Make a key. Put the key of the answer into KEY.`} command={tour.key} />
          <Step says={t`List your free times. Put the id of one into SLOT.`} command={tour.times} />
          <Step says={t`Book it for somebody. Put the id of the answer into BOOKING.`} command={tour.book} />
          <Step says={t`Cancel the booking.`} command={tour.cancel} />
          <Step
            says={t`Have your program told of what happens. No key does this, so it takes the login.`}
            command={tour.webhook}
          />
        </ol>
      </Card>
      {controllers.map(({ controller, calls }) => (
        <Card key={controller} title={controller || t`Operating`}>
          <ul lang="en" dir="ltr" className="grid">
            {calls.map(({ path, method, whose, says }) => (
              <li key={path} className="grid gap-1 border-b border-dashed border-rule py-3 last:border-0">
                <code className="font-semibold break-all">{`${method} ${path}`}</code>
                <p className="text-sm text-muted">{`${says} For ${whose}.`}</p>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </Page>
  );
}

function Command({ label, text }: { label: string; text: string }) {
  return (
    <ScrollRegion label={label}>
      <pre lang="en" dir="ltr" className="py-2 text-sm">
        <code>{text}</code>
      </pre>
    </ScrollRegion>
  );
}

function Step({ says, command }: { says: string; command: string }) {
  return (
    <li className="min-w-0">
      <p>{says}</p>
      <Command label={says} text={command} />
    </li>
  );
}
