import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Button, TextLink } from '../../components/Button';
import { Card, Done, Empty, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { FirstRun } from '../../components/frame/FirstRun';
import { Icon } from '../../components/frame/Icon';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { listHouse } from '../../domain/services/doers.server';
import { serviceInput } from '../../domain/services/service-input';
import {
  type HouseService,
  lostWords,
  moveInList,
  type OwnService,
  serviceWords,
} from '../../domain/services/services';
import { createService, listServices, orderServices } from '../../domain/services/services.server';
import { listUnfitting } from '../../domain/slots/times.server';
import { listTemplateNames } from '../../domain/templates/templates.server';
import { inBook } from '../../http/book-of.server';
import { fields, onceOf } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { ServiceFields } from './ServiceFields';

export const meta = titled(msg`Services`);

// A shop has no times of its own.
const noneUnfitting: string[] = [];

export const loader = pageLoader(
  'Provider',
  inBook(
    async ({ db, actor, now, viewer }, { url }) => {
      const [services, templates, unfitting, reader] = await Promise.all([
        actor.isShop ? listHouse(db, actor) : listServices(db, actor),
        listTemplateNames(db, actor),
        actor.isShop ? noneUnfitting : listUnfitting(db, actor, now),
        viewer(),
      ]);
      // Whose book it is says how they are paid, not whoever is at the desk.
      const isOwn = reader?.accountId === actor.accountId;
      const lacksPayee = isOwn && reader.payBy === null && services.some(({ deposit }) => deposit !== null);
      return { services, templates, unfitting, lacksPayee, isFirst: url.searchParams.has('start') };
    },
    { isShopToo: true },
  ),
);

export const action = formAction(
  'Provider',
  inBook(
    async ({ db, actor, now, desk }, typed, { url }) => {
      const [press] = typed.press ?? [];
      if (press) {
        const ids = (await listServices(db, actor)).map(({ id }) => id);
        await orderServices(db, actor, moveInList(ids, press), now);
        return redirect(desk.services(), 303);
      }
      await createService(db, actor, parse(serviceInput, fields(typed)), { now, key: await onceOf(typed) });
      return redirect(desk.services({ saved: 'yes', start: url.searchParams.has('start') ? 'yes' : null }), 303);
    },
    { isShopToo: true },
  ),
);

export default function Services() {
  const { t } = useLingui();
  const { services, templates, unfitting, lacksPayee, isFirst } = useLoaderData<typeof loader>();
  const { book } = useShell();
  const refused = useRefusal();
  return (
    <Page title={t`Services`} subtitle={t`What people can book with you`}>
      {isFirst && <FirstRun at={0} />}
      {!refused && <Done what="saved">{book ? t`The services are saved.` : t`Your services are saved.`}</Done>}
      {!refused && <Done what="deleted">{t`The service is deleted.`}</Done>}
      {lacksPayee && (
        <Notice tone="warn" title={t`Nobody is asked to pay a deposit yet`}>
          <p>
            <TextLink to={paths.profile()}>{t`Say in your profile how deposits are paid`}</TextLink>
          </p>
        </Notice>
      )}
      <ErrorSummary refused={refused} />
      <div className="columns">
        {(!isFirst || services.length > 0) && (
          <Card title={book ? t`Services of ${book.displayName}` : t`Your services`}>
            {services.length === 0 ? (
              <Empty>
                <Trans>
                  With services people choose what they come for, each with its own length and price; without any, they
                  book your free times as they are.
                </Trans>
              </Empty>
            ) : (
              <PostForm>
                <ol className="grid">
                  {services.map((service, place) => (
                    <Line
                      key={service.id}
                      service={service}
                      place={place}
                      last={services.length - 1}
                      fits={!unfitting.includes(service.id)}
                    />
                  ))}
                </ol>
              </PostForm>
            )}
          </Card>
        )}
        {services.length < limits.services && (
          <Card title={t`Add a service`}>
            <PostForm className="grid gap-5">
              <ServiceFields templates={templates} refused={refused} />
              <div>
                <Submit>{t`Add service`}</Submit>
              </div>
            </PostForm>
          </Card>
        )}
      </div>
    </Page>
  );
}

type LineProps = {
  service: OwnService | HouseService;
  place: number;
  last: number;
  fits: boolean;
};
function Line({ service, place, last, fits }: LineProps) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const { id, name, isOffered, lostQuestions, ofShop } = service;
  const who = 'who' in service ? service.who : undefined;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 border-b border-dashed border-rule py-2 last:border-0">
      <div className="grid min-w-0">
        <span className="font-semibold break-words">
          <a href={desk.service(id)} className="underline-offset-4 hover:underline">
            {name}
          </a>
        </span>
        <span className="break-words text-sm text-muted">
          {words(serviceWords(service))}
          {ofShop !== null && ` · ${t`a service of ${ofShop}`}`}
          {!isOffered && <strong className="text-ink">{` · ${t`switched off`}`}</strong>}
        </span>
        {who && (
          <span className="break-words text-sm">
            {who.length > 0 ? words({ list: who.map(({ displayName }) => displayName) }) : t`Nobody does it yet.`}
          </span>
        )}
        {lostQuestions !== null && (
          <span className="break-words text-sm text-warn">{words(lostWords(lostQuestions))}</span>
        )}
        {!fits && <span className="text-sm">{t`None of your free stretches is long enough for it.`}</span>}
      </div>
      {last > 0 && (
        <div className="flex gap-x-5 text-sm">
          <Button isText name="press" value={`up:${id}`} disabled={place === 0}>
            <Icon name="up" />
            <Trans>
              Up<span className="sr-only">, {name}</span>
            </Trans>
          </Button>
          <Button isText name="press" value={`down:${id}`} disabled={place === last}>
            <Icon name="down" />
            <Trans>
              Down<span className="sr-only">, {name}</span>
            </Trans>
          </Button>
        </div>
      )}
    </li>
  );
}
