import { Trans, useLingui } from '@lingui/react/macro';
import { Card } from '../../components/Card';
import { TextArea } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import type { Appointment } from '../../domain/bookings/appointments';
import { status } from '../../domain/bookings/status';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';

type Props = { appointment: Appointment; refusedFor: (intent: string) => Refusal | undefined };

export function ForYou({ appointment: { bookerName, privateNote, status: state }, refusedFor }: Props) {
  const { t } = useLingui();
  return (
    <Card title={t`Not for the client`}>
      <PostForm className="grid max-w-2xl gap-4">
        <input type="hidden" name="intent" value="note" />
        <TextArea
          name="note"
          label={t`Private note`}
          isOptional
          maxLength={limits.privateNote}
          defaultValue={privateNote ?? undefined}
          help={t`The client never sees it. In a shop, its desk does.`}
          refused={refusedFor('note')}
        />
        <div>
          <Submit quiet>{t`Save note`}</Submit>
        </div>
      </PostForm>
      {state === status.booked && (
        <PostForm className="grid justify-items-start gap-3 border-t border-dashed border-rule pt-4">
          <input type="hidden" name="intent" value="new-link" />
          <p className="text-muted">
            <Trans>
              Has <bdi>{bookerName}</bdi> lost the link to this appointment? A new one takes the place of the old one.
            </Trans>
          </p>
          <Submit quiet>{t`New link`}</Submit>
        </PostForm>
      )}
    </Card>
  );
}
