import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { Confirm } from './Confirm';
import { TextArea } from './Field';

type Props = {
  button: ReactNode;
  question: ReactNode;
  children: ReactNode; // says what happens to the time, and who gets a message
  refused?: Refusal;
  more?: ReactNode;
  hasReason?: boolean; // false if nobody gets a message
  intent?: 'cancel' | 'delete'; // tells the action which form of the page was sent
};

export function CancelForm({ button, question, children, refused, more, hasReason = true, intent = 'cancel' }: Props) {
  const { t } = useLingui();
  return (
    <Confirm id={intent} icon={intent} button={button} question={question} happens={children}>
      <input type="hidden" name="intent" value={intent} />
      {hasReason && <TextArea name="reason" label={t`Reason`} maxLength={limits.reason} refused={refused} isOptional />}
      {more}
    </Confirm>
  );
}
