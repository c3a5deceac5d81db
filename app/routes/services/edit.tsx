import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { Confirm } from '../../components/forms/Confirm';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { serviceInput } from '../../domain/services/service-input';
import { lostWords } from '../../domain/services/services';
import { deleteService, getService } from '../../domain/services/services.server';
import { editService } from '../../domain/slots/edit-service.server';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { ServiceFields } from './ServiceFields';

export const meta = titled(msg`Service`);

export const loader = pageLoader('Provider', async ({ db, actor }, { params: { id = '' } }) => {
  const [service, templates] = await Promise.all([getService(db, actor, id), listTemplateNames(db, actor)]);
  return { service, templates };
});

export const action = formAction('Provider', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  if (typed.press?.[0] === 'delete') {
    await deleteService(db, actor, id, now);
    return redirect(paths.services({ deleted: 'yes' }), 303);
  }
  // A form does not send a box that is not ticked.
  const change = parse(serviceInput, { ...fields(typed), isOffered: typed.isOffered ? 'on' : 'false' });
  await editService(db, actor, { id, change }, now);
  return redirect(paths.services({ saved: 'yes' }), 303);
});

export default function EditService() {
  const { t } = useLingui();
  const words = useWords();
  const { service, templates } = useLoaderData<typeof loader>();
  const { name } = service;
  const refused = useRefusal();
  const isOffered = refused?.typed.name ? refused.typed.isOffered !== undefined : service.isOffered;
  return (
    <Page title={t`Service`} subtitle={service.name}>
      <ErrorSummary refused={refused} />
      {service.lostQuestions !== null && <Notice tone="warn" title={words(lostWords(service.lostQuestions))} />}
      <Card title={service.name}>
        <PostForm className="grid gap-5">
          <ServiceFields service={service} templates={templates} refused={refused} />
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              name="isOffered"
              defaultChecked={isOffered}
              className="size-5 shrink-0 accent-accent"
            />
            {t`People can book it`}
          </label>
          <p className="text-sm text-muted">{t`What is booked keeps its name, length and price.`}</p>
          <div className="flex flex-wrap gap-3">
            <Submit>{t`Save`}</Submit>
            <ButtonLink quiet to={paths.services()}>
              <Trans>Back to your services</Trans>
            </ButtonLink>
          </div>
        </PostForm>
        <div>
          <Confirm
            id="delete-service"
            icon="delete"
            button={t`Delete this service`}
            question={t`Delete ${name}?`}
            happens={t`Nobody can book it any more. What is booked keeps its name, length and price, and nobody is told.`}
            yes={t({ message: 'Delete', context: 'verb' })}
            press={{ name: 'press', value: 'delete' }}
          />
        </div>
      </Card>
    </Page>
  );
}
