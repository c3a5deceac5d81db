import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Button, ButtonLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Fold } from '../../components/Fold';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { GetForm } from '../../components/forms/GetForm';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { ReachLinks } from '../../components/Reach';
import { page, parse } from '../../domain/input/fields';
import { createPerson } from '../../domain/people/edit.server';
import { newCard } from '../../domain/people/people';
import { listPeople, listPeopleToText } from '../../domain/people/people.server';
import { withTexts } from '../../domain/people/texts.server';
import { inBook } from '../../http/book-of.server';
import { fields, onceOf } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import { CardFields } from './CardFields';
import { PersonLine } from './PersonLine';

export const meta = titled(msg`People`);

export const loader = pageLoader(
  'Provider',
  inBook(async (context, { url }) => {
    const { db, actor, now } = context;
    const q = url.searchParams.get('q') ?? '';
    const pageInput = parse(page, url.searchParams.get('page') ?? undefined);
    const filter = { q, page: pageInput };
    // Whoever searches for somebody to book texts nobody.
    if (url.searchParams.has('book')) {
      const { rows, hasMore } = await listPeople(db, actor, { ...filter, isToBook: true }, now);
      return { rows: rows.map((row) => ({ ...row, text: null })), hasMore, ...filter };
    }
    const [{ rows, hasMore }, sender] = await Promise.all([
      listPeopleToText(db, actor, filter, now),
      senderOf(context, url),
    ]);
    return { rows: await withTexts(sender, rows), hasMore, ...filter };
  }),
);

export const action = formAction(
  'Provider',
  inBook(async ({ db, links, actor, now, desk }, typed) => {
    const card = parse(newCard, fields(typed));
    const { id } = await createPerson(db, links, actor, { ...card, key: onceOf(typed) }, now);
    return redirect(desk.person(id, { saved: 'yes' }), 303);
  }),
);

export default function People() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { rows, hasMore, page, q } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  return (
    <Page title={t`People`} subtitle={t`Who has booked with you`}>
      <ErrorSummary refused={refused} />
      <Card>
        <GetForm className="flex flex-wrap items-end gap-3" role="search">
          <div className="min-w-0 flex-1 basis-48">
            <TextField key={q} name="q" label={t`Search by name, e-mail or phone`} type="search" defaultValue={q} />
          </div>
          <Button quiet>{t({ message: 'Search', context: 'verb' })}</Button>
        </GetForm>
        {rows.length === 0 && (
          <Empty
            next={!q && <ButtonLink to={desk.importPeople()}>{t`Import your clients`}</ButtonLink>}
            about={
              q ? undefined : t`Everyone who books gets a card here, with their appointments and a note of your own.`
            }
          >
            {q ? t`Nobody of that name, e-mail or phone` : t`Nobody has booked yet`}
          </Empty>
        )}
        <ul className="lines">
          {rows.map((person) => (
            <PersonLine
              key={person.id}
              person={person}
              acts={person.phone && <ReachLinks as="acts" phone={person.phone} name={person.name} text={person.text} />}
            />
          ))}
        </ul>
        <Pager page={page} hasMore={hasMore} />
        <Fold summary={t`Add somebody`} isOpen={refused !== undefined}>
          <PostForm className="grid max-w-xl gap-5 py-3">
            <CardFields refused={refused} />
            <div>
              <Submit>{t`Add them`}</Submit>
            </div>
          </PostForm>
        </Fold>
        <div className="flex flex-wrap gap-3">
          {(rows.length > 0 || q) && (
            <ButtonLink quiet to={desk.importPeople()}>
              <Trans>Import your clients</Trans>
            </ButtonLink>
          )}
          <ButtonLink quiet to={desk.waitlist()}>
            <Trans>Who waits for a time</Trans>
          </ButtonLink>
          {rows.length > 0 && (
            <ButtonLink quiet to={desk.peopleFile()} isFile>
              <Trans>Download all as a table</Trans>
            </ButtonLink>
          )}
        </div>
      </Card>
    </Page>
  );
}
