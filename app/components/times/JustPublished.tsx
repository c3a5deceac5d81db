import { Plural, Trans } from '@lingui/react/macro';
import { ButtonLink } from '../Button';
import { Notice } from '../Card';
import { PostForm, Submit } from '../forms/Form';
import { useBookPaths } from '../frame/book-paths';

export type PublishedByForm = { created: number; skipped: number; publication: string; isUndone?: true; key: string };

/** Says what a form has published, and offers to remove it again. */
export function JustPublished({ published }: { published: PublishedByForm }) {
  const desk = useBookPaths();
  const { created, skipped, publication, isUndone, key } = published;
  const like = desk.createTimes({ like: key });
  if (isUndone) {
    return (
      <Notice tone="warn" title={<Trans>What you published is removed again.</Trans>}>
        <p>
          <Trans>What was booked before that stays booked.</Trans>
        </p>
        <div>
          <ButtonLink quiet to={like}>
            <Trans>Create appointments</Trans>
          </ButtonLink>
        </div>
      </Notice>
    );
  }
  const title = (
    <Plural
      value={created}
      _1="One appointment is open for booking."
      one="# appointment is open for booking."
      other="# appointments are open for booking."
    />
  );
  return (
    <Notice tone="good" title={title}>
      {skipped > 0 && (
        <p>
          <Plural
            value={skipped}
            _1="One was left out, because it overlaps a time you already have."
            one="# was left out, because it overlaps a time you already have."
            other="# were left out, because they overlap a time you already have."
          />
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={desk.freeTimes()}>
          <Trans>See free times</Trans>
        </ButtonLink>
        <ButtonLink quiet to={like}>
          <Trans>Publish more like this</Trans>
        </ButtonLink>
        {created > 0 && (
          <PostForm action={desk.freeTimes()}>
            <input type="hidden" name="publication" value={publication} />
            <Submit ends="back">
              <Trans>Undo: remove them</Trans>
            </Submit>
          </PostForm>
        )}
      </div>
    </Notice>
  );
}
