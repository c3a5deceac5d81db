import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Face } from '../../components/Face';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { faceOf, linkOf, sentenceOf } from '../../domain/messages/messages';
import { listNews, markNewsRead, markSeen, newsFilter } from '../../domain/messages/news.server';
import { momentWords, whenWordsFor } from '../../domain/time/when-words';
import type { Words } from '../../domain/words/words';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`News`);

export const loader = pageLoader('member', async ({ db, actor, now }, { url }) => {
  const { page } = parse(newsFilter, { page: url.searchParams.get('page') ?? undefined });
  const { rows, hasMore } = await listNews(db, actor, page);
  const lines = rows.map((message) => ({
    id: message.id,
    isRead: message.isRead,
    text: sentenceOf(message),
    who: faceOf(message),
    yours: message.subject && whenWordsFor(message.subject, actor.timeZone),
    at: momentWords(message.at, actor.timeZone),
    link: linkOf(message),
  }));
  return { lines, hasMore, page, until: now, isProvider: actor.role === 'Provider' };
});

export const action = formAction('member', async ({ db, actor, now }, typed) => {
  const [seen] = typed.seen ?? [];
  if (seen) {
    await markSeen(db, actor, seen, now);
    return redirect(typed.from?.[0] === 'invitations' ? paths.invitations() : paths.home(), 303);
  }
  const until = Number(typed.until?.[0]);
  await markNewsRead(db, actor, Number.isSafeInteger(until) ? Math.min(until, now) : now, now);
  return redirect(typed.from?.[0] === 'home' ? paths.home() : paths.news(), 303);
});

export default function News() {
  const { lines, hasMore, page, until, isProvider } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const hasUnread = lines.some(({ isRead }) => !isRead);
  const { t } = useLingui();
  return (
    <Page title={t`News`} subtitle={t`What others have done`}>
      <ErrorSummary refused={refused} />
      <Card>
        {lines.length === 0 && (
          <Empty
            next={
              isProvider ? (
                <ButtonLink to={paths.yourPage()}>{t`Share your page`}</ButtonLink>
              ) : (
                <ButtonLink to={paths.search()}>{t`Book an appointment`}</ButtonLink>
              )
            }
          >
            {t`Nothing yet. When somebody books, cancels or answers, you read it here.`}
          </Empty>
        )}
        {hasUnread && (
          <PostForm>
            <input type="hidden" name="until" value={until} />
            <Submit quiet>{t`Mark all as read`}</Submit>
          </PostForm>
        )}
        <ul className="lines">
          {lines.map((line) => (
            <Line key={line.id} {...line} />
          ))}
        </ul>
        <Pager page={page} hasMore={hasMore} />
      </Card>
    </Page>
  );
}

type LineProps = { isRead: boolean; text: Words; who: string | null; yours: Words | null; at: Words; link: string };

function Line({ isRead, text, who, yours, at, link }: LineProps) {
  const words = useWords();
  const { t } = useLingui();
  const sentence = words(text);
  const yourTime = yours && words(yours);
  const moment = words(at);
  return (
    <li className="relative">
      <Face name={who} />
      <div>
        <a href={link} className={isRead ? '' : 'font-semibold'}>
          {sentence}
        </a>
        {yourTime && <p>{t`On your clock: ${yourTime}`}</p>}
        <p>{t`Told on ${moment}`}</p>
      </div>
      {!isRead && <span className="badge bg-good-wash text-good">{t({ message: 'New', context: 'news' })}</span>}
    </li>
  );
}
