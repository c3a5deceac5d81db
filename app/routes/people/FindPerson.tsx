import { useLingui } from '@lingui/react/macro';
import { useFetcher } from '@remix-run/react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../components/Button';
import { TextField } from '../../components/forms/Field';
import { GetForm } from '../../components/forms/GetForm';
import type { ListedCard } from '../../domain/people/people';
import { NextOrLast } from './PersonLine';

export type Found = Pick<ListedCard, 'id' | 'name' | 'username' | 'email' | 'phone' | 'next' | 'last'>;

/** We search after the reader has stopped typing for so long, in milliseconds. */
const pause = 250;

type Props<Person> = {
  label: string;
  /** Where the form leads that is sent with its button. */
  action: string;
  /** More fields of that form. */
  fields?: ReactNode;
  q: string;
  found: Person[] | null;
  /** The list of people whose loader is asked while one types. */
  pathOf: (q: string) => string;
  /** What is shown once a search has its answer, and of an empty one whether it is still under way. */
  children: (people: Person[], isSearching: boolean) => ReactNode;
};

/** Finds people by name, e-mail or phone: while one types, or by a button. */
export function FindPerson<Person extends Found>({ label, action, fields, q, found, pathOf, children }: Props<Person>) {
  const { t } = useLingui();
  const search = useFetcher<{ rows: Person[] }>();
  const [typed, setTyped] = useState<string>();
  const { load } = search;
  const path = typed?.trim() ? pathOf(typed) : null;
  useEffect(() => {
    if (path === null) return;
    const timer = setTimeout(() => load(path), pause);
    return () => clearTimeout(timer);
  }, [path, load]);
  const people = typed === undefined ? found : typed.trim() ? ((search.data?.rows ?? []) as Person[]) : null;
  return (
    <>
      <GetForm action={action} className="flex flex-wrap items-end gap-3" role="search">
        {fields}
        <div className="min-w-0 flex-1 basis-48">
          <TextField
            key={q}
            name="q"
            label={label}
            type="search"
            autoComplete="off"
            defaultValue={q}
            placeholder={t`Name, e-mail or phone`}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </div>
        <Button quiet>{t({ message: 'Search', context: 'verb' })}</Button>
      </GetForm>
      {people && children(people, search.state !== 'idle' || (typed !== undefined && !search.data))}
    </>
  );
}

/** What tells a person apart from others of that name. */
export const KnownBy = ({ username, email, phone, next, last }: Omit<Found, 'id' | 'name'>) => (
  <span className="text-sm break-words text-muted">
    {[username, email, phone].filter(Boolean).map((fact) => `${fact} · `)}
    <NextOrLast next={next} last={last} />
  </span>
);
