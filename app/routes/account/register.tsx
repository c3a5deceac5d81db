import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json, redirect } from '@remix-run/cloudflare';
import { type ClientActionFunctionArgs, useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { FaultDialog } from '../../components/forms/FaultDialog';
import { Faults, faultsOf, fieldId } from '../../components/forms/Field';
import { EnterSubmits, PostForm, Submit } from '../../components/forms/Form';
import { CityField, DescriptionField } from '../../components/forms/PlateFields';
import { RegistrationFields } from '../../components/forms/RegistrationFields';
import { useRefusal } from '../../components/forms/refusal';
import { ZoneSelect } from '../../components/forms/ZoneSelect';
import { Page } from '../../components/frame/Page';
import { i18nOfPage } from '../../components/frame/page-language';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { isGuest, type Role as RoleName } from '../../domain/profile/accounts';
import { commonZones, listZones } from '../../domain/time/zones';
import { worded } from '../../domain/words/worded';
import { fields, onceOf, withoutPasswords } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { registerHere } from '../../http/register.server';
import { localPath } from '../../http/return-to.server';
import * as paths from '../../paths';
import { roleWords } from './roles';

export const meta = titled(msg`Register`, msg`Make an account to book appointments, or to offer them.`);

export const loader = pageLoader('anyone', async ({ actor, viewer, edge, hasMail }, { url }) => {
  const reader = actor?.isGuest && (await viewer());
  return {
    to: url.searchParams.get('to') ?? '',
    zones: commonZones(edge.timeZone),
    edgeZone: edge.timeZone ?? 'UTC',
    hasMail,
    guest:
      reader && isGuest(reader)
        ? { displayName: reader.displayName, timeZone: reader.timeZone, email: reader.email }
        : null,
  };
});

export const action = formAction('anyone', async (context, typed, { url }) => {
  const { edge, hasMail } = context;
  if (typed.zones) return json({ faults: [], typed: withoutPasswords(typed), all: listZones(edge.timeZone) });
  const { withheldQuestion } = await registerHere(context, fields(typed), onceOf(typed));
  const to = localPath(url.searchParams.get('to'), '');
  if (withheldQuestion && hasMail) return redirect(paths.email({ asked: 'yes', to: to || null }), 303);
  return redirect(localPath(url.searchParams.get('to'), paths.profile()), 303);
});

/** A proxy may answer in our place, with a text that is not ours. The form then shows that text as it is. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    // The framework turns such a text into the message of an error without a stack.
    if (!(error instanceof Error) || error.stack !== undefined) throw error;
    const empty = worded(i18nOfPage(undefined), msg`The answer was empty.`);
    const message = error.message.trim().slice(0, mostShown) || empty;
    return { faults: [{ field: null, message }], typed: {} } satisfies Refusal;
  }
}

const mostShown = 500;

export default function Register() {
  const { to, zones, edgeZone, hasMail, guest } = useLoaderData<typeof loader>();
  const refused: (Refusal & { all?: string[] }) | undefined = useRefusal();
  const role = refused?.typed.role?.[0];
  const { t } = useLingui();
  return (
    <Page title={t`Register`} subtitle={guest ? t`Keep what you have booked` : t`Free, and it stays free`}>
      <FaultDialog title={t`Invalid Password`} refused={refused} />
      <ErrorSummary refused={refused} isDialogOpen />
      <Card>
        <PostForm className="grid max-w-xl gap-5">
          <EnterSubmits />
          {guest && (
            <p className="text-muted">
              <Trans>
                You are here as a guest. With a username and a password everything you have booked and answered is yours
                on every device; your links stay as they are.
              </Trans>
            </p>
          )}
          {!guest && (
            <fieldset className="grid gap-2">
              <legend className="mb-1 font-semibold">{t`Role`}</legend>
              <Faults id={`${fieldId('role')}-faults`} faults={faultsOf(refused, 'role').faults} />
              <Role
                value="Consumer"
                words={t`I want to book appointments`}
                isChosen={role !== 'Provider'}
                wiring={faultsOf(refused, 'role').wiring}
              />
              <Role value="Provider" words={t`I offer appointments`} isChosen={role === 'Provider'} />
            </fieldset>
          )}
          <RegistrationFields hasMail={hasMail} guest={guest} refused={refused}>
            {guest ? (
              <input type="hidden" name="role" value="Consumer" />
            ) : (
              <div className="for-providers grid gap-5">
                <CityField refused={refused} />
                <DescriptionField refused={refused} />
              </div>
            )}
            <ZoneSelect
              zones={zones}
              all={refused?.all}
              automatic={edgeZone}
              defaultValue={guest?.timeZone}
              refused={refused}
            />
          </RegistrationFields>
          <div className="flex flex-wrap items-center gap-4">
            <Submit>{t`Register`}</Submit>
            <span>
              <Trans>
                Already here? <TextLink to={paths.login({ to: to || null })}>Log in</TextLink>
              </Trans>
            </span>
          </div>
        </PostForm>
      </Card>
      <p className="text-sm text-muted">
        <Trans>
          Only looking?{' '}
          <ButtonLink quiet to={paths.home()}>
            See what Daybook does
          </ButtonLink>
        </Trans>
      </p>
    </Page>
  );
}

function Role({
  value,
  words,
  isChosen,
  wiring,
}: {
  value: RoleName;
  words: string;
  isChosen: boolean;
  wiring?: object;
}) {
  const name = useWords()(roleWords[value]);
  return (
    <label className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-rule px-4 py-2 has-checked:border-accent has-checked:bg-wash">
      <input
        {...wiring}
        type="radio"
        name="role"
        value={value}
        defaultChecked={isChosen}
        className="size-5 shrink-0 accent-accent"
      />
      <span>
        <span className="font-semibold">{name}</span> <span className="text-muted">{words}</span>
      </span>
    </label>
  );
}
