import { Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { useBookPaths } from '../../components/frame/book-paths';
import type { CardToBook } from '../../domain/people/people.server';
import { FindPerson, KnownBy } from './FindPerson';

type Props = { label: string; q?: string; found?: CardToBook[] | null };

/** Finds the person to book: each leads to the days and times for what they had last. */
export const WhoToBook = ({ label, q = '', found = null }: Props) => {
  const { t } = useLingui();
  const desk = useBookPaths();
  const pathOf = (typed: string) => desk.people({ q: typed, book: 'yes' });
  return (
    <FindPerson action={desk.bookAt()} {...{ label, q, found, pathOf }}>
      {(people, isSearching) => (
        <>
          {people.length === 0 && !isSearching && (
            <p className="text-muted">{t`Nobody of that name, e-mail or phone.`}</p>
          )}
          <ul aria-label={t`People found`} className="grid gap-2">
            {people.map(({ id, name, latestService, ...known }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
                <ButtonLink quiet to={desk.bookForPerson(id, { service: latestService })}>
                  <span className="break-words">
                    <Trans>
                      Book <bdi>{name}</bdi>
                    </Trans>
                  </span>
                </ButtonLink>
                <KnownBy {...known} />
              </li>
            ))}
          </ul>
        </>
      )}
    </FindPerson>
  );
};
