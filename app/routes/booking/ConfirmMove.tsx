import { ButtonLink } from '../../components/Button';
import { Card, Facts } from '../../components/Card';
import { TextArea } from '../../components/Field';
import { PostForm, Submit } from '../../components/Form';
import { QuestionFields } from '../../components/QuestionField';
import { Moment, SpanTimes } from '../../components/Time';
import type { Appointment } from '../../domain/appointments/appointments';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { answerField, type Template } from '../../domain/templates/questions';

type Props = {
  other: Appointment;
  /** The questions of the other time, where they are not those that are answered already. */
  template?: Template;
  refused?: Refusal;
  isProvider: boolean;
  bookerName: string | null;
  here: string;
};

/** The new time beside the old one, what happens then, and one button. */
export function ConfirmMove({ other, template, refused, isProvider, bookerName, here }: Props) {
  return (
    <Card title="As it will be">
      <Facts
        facts={[
          ['When', <Moment key="when" at={other.startsAt} zone={other.timeZone} isFull />],
          ['From and to', <SpanTimes key="times" {...other} />],
        ]}
      />
      <PostForm className="grid max-w-2xl gap-5">
        {template && (
          <>
            <input type="hidden" name="template" value={template.id} />
            <QuestionFields
              questions={template.questions}
              valuesOf={(question) => refused?.typed[answerField(question)] ?? []}
              refused={refused}
            />
          </>
        )}
        {isProvider && <TextArea name="reason" label="Reason" maxLength={limits.reason} refused={refused} isOptional />}
        <p className="text-muted">
          {isProvider
            ? `${bookerName} is told, with your reason. Nobody can book the time that becomes free.`
            : 'The time that you have now is free for others again at once.'}
        </p>
        <div className="flex flex-wrap gap-3">
          <Submit>Move it</Submit>
          <ButtonLink quiet to={here}>
            Other times
          </ButtonLink>
        </div>
      </PostForm>
    </Card>
  );
}
