import { Trans } from '@lingui/react/macro';
import { PostForm, Submit } from '../../components/forms/Form';

/** Notes that the deposit has come. The mark that stands is pressed, and pressing it takes it back. */
export const MarkPaid = ({ deposit, isPaid }: { deposit: string; isPaid: boolean }) => (
  <PostForm>
    <input type="hidden" name="intent" value="paid" />
    <Submit isText name="paid" value={String(!isPaid)} aria-pressed={isPaid}>
      {isPaid && <span aria-hidden="true">✓&nbsp;</span>}
      <span>
        <Trans>
          The deposit of <bdi>{deposit}</bdi> has come
        </Trans>
      </span>
    </Submit>
  </PostForm>
);
