import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Done, Notice } from '../../components/Card';
import { Confirm } from '../../components/forms/Confirm';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { DomainError } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { listPeopleFor } from '../../domain/services/doers.server';
import { type DoerInput, doerInput, serviceChange, serviceInput } from '../../domain/services/service-input';
import { lostWords } from '../../domain/services/services';
import { getService } from '../../domain/services/services.server';
import { deleteService } from '../../domain/slots/delete-service.server';
import { editService } from '../../domain/slots/edit-service.server';
import { setDoers } from '../../domain/slots/set-doers.server';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { inBook } from '../../http/book-of.server';
import { fields, type Typed } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { ServiceFields } from './ServiceFields';
import { named, WhoDoesIt } from './WhoDoesIt';

export const meta = titled(msg`Service`);

export const loader = pageLoader(
  'Provider',
  inBook(
    async ({ db, actor }, { params: { id = '' } }) => {
      const [service, templates, people] = await Promise.all([
        getService(db, actor, id),
        listTemplateNames(db, actor),
        actor.isShop ? listPeopleFor(db, actor, id) : null,
      ]);
      return { service, templates, people };
    },
    { isShopToo: true },
  ),
);

export const action = formAction(
  'Provider',
  inBook(
    async ({ db, actor, now, desk }, typed, { params: { id = '' } }) => {
      const [press] = typed.press ?? [];
      if (press === 'delete') {
        await deleteService(db, actor, id, now);
        return redirect(desk.services({ deleted: 'yes' }), 303);
      }
      if (press === 'who') {
        await setDoers(db, actor, { id, doers: doersIn(typed) }, now);
        return redirect(desk.service(id, { saved: 'yes' }), 303);
      }
      // A form does not send a box that is not ticked, nor what the shop says of its services.
      const change =
        typed.name === undefined
          ? parse(serviceChange, fields(typed))
          : parse(serviceInput, { ...fields(typed), isOffered: typed.isOffered ? 'on' : 'false' });
      await editService(db, actor, { id, change }, now);
      return redirect(desk.services({ saved: 'yes' }), 303);
    },
    { isShopToo: true },
  ),
);

/** What a form says of each of the people. A length that is left out is the house's, or as it was. */
function doersIn(typed: Typed): DoerInput[] {
  return (typed.person ?? []).map((username) => {
    if (!typed.does?.includes(username)) return { username, offered: false };
    const [minutes, price] = [typed[named('minutes', username)]?.[0], typed[named('price', username)]?.[0]];
    try {
      return parse(doerInput, { username, offered: true, ...(minutes && { minutes }), price });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const faults = error.faults.map(({ field, message }) => ({ field: field && named(field, username), message }));
      throw new DomainError('invalid', faults);
    }
  });
}

export default function EditService() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const { service, templates, people } = useLoaderData<typeof loader>();
  const { book } = useShell();
  const { name, ofShop } = service;
  const refused = useRefusal();
  const isOffered = refused?.typed.name ? refused.typed.isOffered !== undefined : service.isOffered;
  return (
    <Page title={t`Service`} subtitle={service.name}>
      {!refused && <Done what="saved">{t`It is saved who does it.`}</Done>}
      <ErrorSummary refused={refused} />
      {service.lostQuestions !== null && <Notice tone="warn" title={words(lostWords(service.lostQuestions))} />}
      <Card title={service.name}>
        {ofShop !== null && (
          <p className="text-sm text-muted">
            {t`A service of ${ofShop}. Its name, text, gap, places and questions are changed there; the length and the prices are your own.`}
          </p>
        )}
        <PostForm className="grid gap-5">
          <ServiceFields service={service} templates={templates} refused={refused} isOfShop={ofShop !== null} />
          {ofShop === null && (
            <label className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                name="isOffered"
                defaultChecked={isOffered}
                className="size-5 shrink-0 accent-accent"
              />
              {t`People can book it`}
            </label>
          )}
          <p className="text-sm text-muted">{t`What is booked keeps its name, length and price.`}</p>
          <div className="flex flex-wrap gap-3">
            <Submit>{t`Save`}</Submit>
            <ButtonLink quiet to={desk.services()}>
              {book ? <Trans>Back to the services</Trans> : <Trans>Back to your services</Trans>}
            </ButtonLink>
          </div>
        </PostForm>
        {ofShop === null && (
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
        )}
      </Card>
      {people && <WhoDoesIt service={service} people={people} refused={refused} />}
    </Page>
  );
}
