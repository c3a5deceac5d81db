import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { Confirm } from './Confirm';
import { TextArea } from './Field';
import { PostForm, Submit } from './Form';

type Props = {
  button: string;
  question: ReactNode;
  children: ReactNode; // says what happens to the time, and who gets a message
  refused?: Refusal;
  more?: ReactNode;
  hasReason?: boolean; // false if nobody gets a message
  isText?: boolean;
  intent?: 'cancel' | 'delete'; // tells the action which form of the page was sent
};

export function CancelForm({
  button,
  question,
  children,
  refused,
  more,
  hasReason = true,
  isText,
  intent = 'cancel',
}: Props) {
  return (
    <Confirm id={intent} button={button} question={question} isText={isText}>
      <PostForm className="grid w-full gap-4">
        <input type="hidden" name="intent" value={intent} />
        <p className="text-muted">{children}</p>
        {hasReason && <TextArea name="reason" label="Reason" maxLength={limits.reason} refused={refused} isOptional />}
        {more}
        <div>
          <Submit>{button}</Submit>
        </div>
      </PostForm>
    </Confirm>
  );
}
