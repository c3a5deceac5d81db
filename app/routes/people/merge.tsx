import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Button, ButtonLink } from '../../components/Button';
import { Card, Empty, Facts } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { GetForm } from '../../components/forms/GetForm';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { visitsWords } from '../../domain/people/attendance-words';
import { lostDetails, mergedCard, mergePeople, readMerge } from '../../domain/people/merge.server';
import { mergeIds, type ShownCard } from '../../domain/people/people';
import { getCard, listPeople } from '../../domain/people/people.server';
import { withCommas } from '../../domain/words/joined';
import { inBook } from '../../http/book-of.server';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { PersonLine } from './PersonLine';

export const meta = titled(msg`Merge cards`);

/** First the provider finds the other card, then the page shows both and the result. */
export const loader = pageLoader(
  'Provider',
  inBook(async ({ db, actor, now, desk }, { params: { id = '' }, url }) => {
    const into = url.searchParams.get('into');
    const q = url.searchParams.get('q') ?? '';
    if (into === null) {
      const [person, found] = await Promise.all([
        getCard(db, actor, id, now),
        q.trim() === '' ? null : listPeople(db, actor, { q, page: 0 }, now),
      ]);
      const others = found?.rows.filter((other) => other.id !== person.id) ?? null;
      return { person, q, others, merge: null };
    }
    const merge = await readMerge(db, actor, { id, into }, now);
    if (!merge) throw redirect(desk.person(into));
    return {
      person: merge.from,
      q,
      others: null,
      merge: { ...merge, result: mergedCard(merge), lost: lostDetails(merge) },
    };
  }),
);

export const action = formAction(
  'Provider',
  inBook(async ({ db, actor, now, desk }, typed, { params: { id = '' } }) => {
    const card = await mergePeople(db, actor, parse(mergeIds, { ...fields(typed), id }), now);
    return redirect(desk.person(card.id, { merged: 'yes' }), 303);
  }),
);

export default function Merge() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { person, q, others, merge } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  return (
    <Page title={t`Merge cards`} subtitle={person.name} breaksAnywhere>
      <ErrorSummary refused={refused} />
      {merge ? (
        <>
          <Card title={t`These two`}>
            <ul className="lines">
              <PersonLine person={merge.from} />
              <PersonLine person={merge.into} />
            </ul>
          </Card>
          <Card title={t`Become one`}>
            <CardFacts card={merge.result} />
            <Lost {...merge.lost} />
            <p className="text-muted">
              <Trans>
                All appointments are on this card from then on, and whatever either of them books. It can’t be undone.
              </Trans>
            </p>
            <PostForm className="flex flex-wrap gap-3">
              <input type="hidden" name="into" value={merge.into.id} />
              <Submit>{t`Merge them`}</Submit>
              <ButtonLink quiet to={desk.mergePerson(merge.into.id, { into: person.id })}>
                <Trans>Keep the other name</Trans>
              </ButtonLink>
            </PostForm>
          </Card>
        </>
      ) : (
        <Card title={t`Who else is this?`}>
          <GetForm className="flex flex-wrap items-end gap-3" role="search">
            <div className="min-w-0 flex-1 basis-48">
              <TextField key={q} name="q" label={t`Search by name, e-mail or phone`} type="search" defaultValue={q} />
            </div>
            <Button quiet>{t({ message: 'Search', context: 'verb' })}</Button>
          </GetForm>
          {others?.length === 0 && <Empty>{t`Nobody else of that name, e-mail or phone`}</Empty>}
          <ul className="lines">
            {others?.map((other) => (
              <PersonLine key={other.id} person={other} to={desk.mergePerson(person.id, { into: other.id })} />
            ))}
          </ul>
        </Card>
      )}
      <p>
        <ButtonLink quiet to={desk.person(person.id)}>
          <Trans>Back</Trans>
        </ButtonLink>
      </p>
    </Page>
  );
}

const Lost = (lost: ReturnType<typeof lostDetails>) => {
  const details = Object.values(lost).filter((detail) => detail !== null);
  const list = useWords()(withCommas(details));
  return (
    details.length > 0 && (
      <p className="break-words">
        <Trans>
          Not kept: <bdi>{list}</bdi>. Write what you still need into a note first.
        </Trans>
      </p>
    )
  );
};

function CardFacts({ card }: { card: ShownCard }) {
  const { t } = useLingui();
  const words = useWords();
  return (
    <Facts
      facts={[
        [t`Name`, card.name],
        ...(card.email ? [[t`E-mail`, card.email] as [string, string]] : []),
        ...(card.phone ? [[t`Phone`, card.phone] as [string, string]] : []),
        [t`Visits`, words(visitsWords(card))],
        ...(card.note ? [[t`Note`, card.note] as [string, string]] : []),
      ]}
    />
  );
}
