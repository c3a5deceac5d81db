import { Trans, useLingui } from '@lingui/react/macro';
import { Button, TextAction, TextLink } from '../../components/Button';
import { Face } from '../../components/Face';
import { Fold } from '../../components/Fold';
import { PostForm, Submit } from '../../components/forms/Form';
import { Icon } from '../../components/frame/Icon';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { type Colleague, shopRoles, shopRoleWords } from '../../domain/shop/colleagues';
import * as paths from '../../paths';
import { LeavingFields } from './LeavingFields';

type Props = {
  person: Pick<Colleague, 'username' | 'displayName' | 'role' | 'takes'>;
  isMe: boolean;
  isOwner: boolean; // whether the reader is one
  isDesk: boolean; // whether the reader works in the books of all
  refused: Refusal | undefined; // of a change of this person
  book: string | null; // the day in their book, where the reader works in it
  place: number;
  last: number;
};

/** Somebody of the shop, with what an owner can change. */
export function PersonLine({ person, isMe, isOwner, isDesk, refused, book, place, last }: Props) {
  const { username, displayName: name, role, takes } = person;
  const words = useWords();
  const { t } = useLingui();
  return (
    <li className="grid gap-1 border-b border-dashed border-rule py-3 last:border-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="flex min-w-0 items-center gap-3">
          <Face name={name} />
          <div className="grid min-w-0">
            <span className="font-semibold wrap-anywhere">
              <bdi>{name}</bdi>
              {isMe && <span className="font-normal text-muted"> ({t`you`})</span>}
            </span>
            <span className="text-sm text-muted">
              {words(shopRoleWords[role])}
              {!takes && ` · ${t`takes no appointments`}`}
            </span>
          </div>
        </div>
        {book && (
          <TextAction icon="sheet" to={book}>
            <Trans>
              Their book<span className="sr-only">: {name}</span>
            </Trans>
          </TextAction>
        )}
        {isOwner && last > 0 && (
          <PostForm className="flex gap-x-5 text-sm">
            <Button isText name="press" value={`up:${username}`} disabled={place === 0}>
              <Icon name="up" />
              <Trans>
                Up<span className="sr-only">, {name}</span>
              </Trans>
            </Button>
            <Button isText name="press" value={`down:${username}`} disabled={place === last}>
              <Icon name="down" />
              <Trans>
                Down<span className="sr-only">, {name}</span>
              </Trans>
            </Button>
          </PostForm>
        )}
      </div>
      {isDesk && last > 0 && takes && (
        <p className="text-sm">
          <TextLink to={paths.handOver({ of: username })}>
            <Trans>
              Hand over appointments<span className="sr-only"> of {name}</span>
            </Trans>
          </TextLink>
        </p>
      )}
      {isOwner && (
        <Fold
          isOpen={refused !== undefined}
          className="no-print"
          summary={
            <Trans>
              Change<span className="sr-only">: {name}</span>
            </Trans>
          }
        >
          <PostForm className="grid justify-items-start gap-4 py-3">
            <input type="hidden" name="username" value={username} />
            <fieldset>
              <legend className="mb-1.5 font-semibold">{t({ message: 'Role', context: 'in a shop' })}</legend>
              <div className="chips">
                {shopRoles.map((one) => (
                  <label key={one}>
                    <input
                      type="radio"
                      name="role"
                      value={one}
                      defaultChecked={one === (refused?.typed.role?.[0] ?? role)}
                    />
                    {words(shopRoleWords[one])}
                  </label>
                ))}
              </div>
            </fieldset>
            <label className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                name="takes"
                value="true"
                defaultChecked={refused?.typed.role ? refused.typed.takes !== undefined : takes}
                className="size-5 shrink-0 accent-accent"
              />
              {t`Takes appointments`}
            </label>
            <Submit name="intent" value="colleague">
              {t`Save`}
            </Submit>
          </PostForm>
          {!isMe && (
            <PostForm className="grid justify-items-start gap-4 border-t border-dashed border-rule py-3">
              <input type="hidden" name="username" value={username} />
              <LeavingFields legend={t`If you remove them, their coming appointments`} refused={refused} />
              <Submit ends="off" name="intent" value="remove">
                {/* One box, so that large letters break within it. */}
                <span>
                  <Trans>
                    Remove<span className="sr-only"> {name}</span> from the shop
                  </Trans>
                </span>
              </Submit>
            </PostForm>
          )}
        </Fold>
      )}
    </li>
  );
}
