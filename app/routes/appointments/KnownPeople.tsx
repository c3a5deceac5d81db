import { Form, useFetcher } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { Button } from '../../components/Button';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import type { ListedCard } from '../../domain/people/people';
import * as paths from '../../paths';
import { NextOrLast } from '../people/PersonLine';

type Found = Pick<ListedCard, 'id' | 'name' | 'username' | 'email' | 'phone' | 'next' | 'last'>[];

/** We search after the reader has stopped typing for so long, in milliseconds. */
const pause = 250;

type Props = { q: string; found: Found | null; service: string | null };

export function KnownPeople({ q, found, service }: Props) {
  const search = useFetcher<{ rows: Found }>();
  const [typed, setTyped] = useState<string>();
  const { load } = search;
  useEffect(() => {
    if (!typed?.trim()) return;
    const timer = setTimeout(() => load(paths.people({ q: typed })), pause);
    return () => clearTimeout(timer);
  }, [typed, load]);
  const people = typed === undefined ? found : typed.trim() ? (search.data?.rows ?? []) : null;
  return (
    <div className="grid max-w-2xl gap-4">
      <Form action="#for-someone" className="flex flex-wrap items-end gap-3" role="search">
        {service && <input type="hidden" name="service" value={service} />}
        <div className="min-w-0 flex-1 basis-48">
          <TextField
            key={q}
            name="q"
            label="Somebody who was here before"
            type="search"
            autoComplete="off"
            defaultValue={q}
            placeholder="Name, e-mail or phone"
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </div>
        <Button quiet>Search</Button>
      </Form>
      {people && (
        <PostForm aria-label="People found">
          <input type="hidden" name="intent" value="book-for" />
          {service && <input type="hidden" name="service" value={service} />}
          {people.length === 0 && search.state === 'idle' && (
            <p className="text-muted">Nobody of that name, e-mail or phone. Write them down below.</p>
          )}
          <ul className="grid gap-2">
            {people.map(({ id, name, username, email, phone, next, last }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
                <Submit quiet name="personId" value={id}>
                  <span className="break-words">
                    Book for <bdi>{name}</bdi>
                  </span>
                </Submit>
                <span className="text-sm break-words text-muted">
                  {[username, email, phone].filter(Boolean).map((fact) => `${fact} · `)}
                  <NextOrLast next={next} last={last} />
                </span>
              </li>
            ))}
          </ul>
        </PostForm>
      )}
    </div>
  );
}
