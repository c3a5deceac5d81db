import { useLingui } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { focusFirst, TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { Attendee } from '../../domain/parties/parties';
import * as paths from '../../paths';

/** The id of the row with this form; the link that opens the form leads there. */
export const addressRow = 'address';

type Props = { attendee: Attendee; place: number; meetupId: string; refused?: Refusal };

/** Sets the address of one name. @param place of the name in the list, where the page then says what was done */
export function AddressForm({ attendee: { id, name, email }, place, meetupId, refused }: Props) {
  const { t } = useLingui();
  return (
    <PostForm className="grid max-w-2xl gap-4">
      <input type="hidden" name="whose" value={`${id}.${place}`} />
      <TextField
        {...(refused ? {} : focusFirst)}
        type="email"
        name="email"
        label={t`E-mail address of ${name}`}
        help={
          email ? t`The invitation goes there by mail. Empty: no more mail.` : t`The invitation goes there by mail.`
        }
        maxLength={limits.email}
        defaultValue={email ?? ''}
        autoComplete="off"
        refused={refused}
      />
      <div className="flex flex-wrap gap-3">
        <Submit name="intent" value="address">
          {email ? t`Save address` : t`Send the invitation`}
        </Submit>
        <ButtonLink quiet to={paths.manageMeetup(meetupId)}>
          {t`Leave it as it is`}
        </ButtonLink>
      </div>
    </PostForm>
  );
}
