import { Trans, useLingui } from '@lingui/react/macro';
import { ClientAddressField } from '../../components/forms/ClientAddressField';
import { PostForm, Submit } from '../../components/forms/Form';
import { useBookPaths } from '../../components/frame/book-paths';
import type { Where } from '../../domain/services/where';
import { FindPerson, type Found, KnownBy } from '../people/FindPerson';

type Props = { q: string; found: Found[] | null; service: string | null; where: Where };

export function KnownPeople({ q, found, service, where }: Props) {
  const { t } = useLingui();
  const desk = useBookPaths();
  const pathOf = (typed: string) => desk.people({ q: typed });
  const wanted = service && <input type="hidden" name="service" value={service} />;
  return (
    <div className="grid max-w-2xl gap-4">
      <FindPerson
        label={t`Somebody who was here before`}
        action="#for-someone"
        fields={wanted}
        {...{ q, found, pathOf }}
      >
        {(people, isSearching) => (
          <PostForm aria-label={t`People found`}>
            <input type="hidden" name="intent" value="book-for" />
            {wanted}
            {people.length === 0 && !isSearching && (
              <p className="text-muted">{t`Nobody of that name, e-mail or phone. Write them down below.`}</p>
            )}
            {people.length > 0 && <ClientAddressField where={where} />}
            <ul className="grid gap-2">
              {people.map(({ id, name, ...known }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
                  <Submit quiet name="personId" value={id}>
                    <span className="break-words">
                      <Trans>
                        Book for <bdi>{name}</bdi>
                      </Trans>
                    </span>
                  </Submit>
                  <KnownBy {...known} />
                </li>
              ))}
            </ul>
          </PostForm>
        )}
      </FindPerson>
    </div>
  );
}
