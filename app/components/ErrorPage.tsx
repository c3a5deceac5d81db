import { useLocation } from '@remix-run/react';
import type { Trouble } from '../domain/errors';
import { Button, ButtonLink, TextLink } from './Button';
import { Card, Empty } from './Card';
import { HomeLink, Page } from './Page';

const titles: Record<number, string> = {
  400: 'Not understood',
  401: 'You are logged out',
  403: 'Not for this account',
  404: 'Nothing here',
  405: 'Not like this',
  413: 'Too much at once',
  503: 'Back in a moment',
};

const sentences: Record<number, string> = {
  400: 'What came is no form that we can read, so nothing was done. Please go back, and send it again.',
  401: 'Your login has ended. Log in again, then send what you typed.',
  404: 'This page does not exist, or it is not yours to see.',
  413: 'This form is larger than we can take, so nothing was done. Please go back, shorten it, and send it again.',
};

/** Fields that nobody types: keys, buttons, states, and whole questions as they travel. They are sent again, not shown. */
const unspoken = [
  /^(once|shown|month|intent|press|accepted|replace|remove|id|publication|all|hideGoing)$/,
  /^(template(Id)?|dialog|question(-place|-type|-required)?)$/,
];

const passwordWords: Record<string, string> = { newPassword: 'New password' };

const lists = ['/', '/view', '/view-booked', '/view-dash', '/view-open'];

/** The page for everything that goes wrong: what happened, nothing lost, and a way on. */
export function ErrorPage({
  status,
  trouble,
  isLetter,
}: {
  status: number;
  trouble: Trouble | null;
  isLetter: boolean;
}) {
  const { pathname, search } = useLocation();
  const isList = lists.includes(pathname.replace(/\/$/, '') || '/');
  const message = (status === 401 && sentences[401]) || trouble?.message || sentences[status];
  return (
    <Page
      title={trouble?.title ?? titles[status] ?? 'Something went wrong'}
      corner={isLetter ? <HomeLink /> : undefined}
    >
      <Card>
        <p>{message ?? 'Something went wrong on our side. Please try again.'}</p>
        {trouble?.kept ? (
          <SendAgain status={status} kept={trouble.kept} />
        ) : status === 503 ? (
          <Empty
            next={
              <form action={pathname}>
                {[...new URLSearchParams(search)].map(([name, value]) => (
                  <input key={name + value} type="hidden" name={name} value={value} />
                ))}
                <Button>Try Again?</Button>
              </form>
            }
          >
            {isList ? 'No Appointments' : null}
          </Empty>
        ) : (
          <div className="flex flex-wrap gap-3">
            <ButtonLink to="/">Go to the first page</ButtonLink>
          </div>
        )}
      </Card>
    </Page>
  );
}

/** A form that could not be saved, to be sent again as it was; a password has to be typed again. */
function SendAgain({ status, kept }: { status: number; kept: NonNullable<Trouble['kept']> }) {
  const typed = Object.entries(kept.typed).flatMap(([name, values]) => values.map((value) => ({ name, value })));
  const shown = typed.filter(({ name, value }) => !unspoken.some((one) => one.test(name)) && value !== '');
  return (
    <form method="post" action={kept.action} className="grid justify-items-start gap-4">
      {status === 401 && (
        <p>
          <TextLink to={`/login?to=${encodeURIComponent(kept.action)}`} inNewTab>
            Log in
          </TextLink>{' '}
          in another tab, come back here and press the button.
        </p>
      )}
      {typed.map(({ name, value }) => (
        <input key={name + value} type="hidden" name={name} value={value} />
      ))}
      {shown.length > 0 && (
        <div className="grid gap-1">
          <h2 className="text-lg">What you typed is kept</h2>
          <ul className="text-sm text-muted">
            {shown.map(({ name, value }) => (
              <li key={name + value} className="break-words whitespace-pre-line">
                {value}
              </li>
            ))}
          </ul>
        </div>
      )}
      {kept.passwords.map((name) => (
        <label key={name} className="grid gap-1.5 font-semibold">
          {passwordWords[name] ?? 'Password'}
          <input
            type="password"
            name={name}
            required
            className="min-h-12 w-full rounded-md border-[1.5px] border-edge bg-card px-3 text-base"
          />
        </label>
      ))}
      <Button>Try Again?</Button>
    </form>
  );
}
