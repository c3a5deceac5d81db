import { ButtonLink } from '../../components/Button';
import { PostForm, Submit } from '../../components/Form';
import { QuestionFields } from '../../components/QuestionField';
import { Leaf, SpanTimes } from '../../components/Time';
import type { Appointment } from '../../domain/appointments/appointments';
import type { Refusal } from '../../domain/errors';
import { answerField, type Template } from '../../domain/templates/questions';

type Props = { appointment: Appointment; template: Template; refused?: Refusal };

/** Step 2: the questions, with one button that books and submits the answers. */
export function Questions({ appointment, template, refused }: Props) {
  return (
    <PostForm className="grid max-w-2xl gap-6">
      <div className="flex items-center gap-4">
        <Leaf date={appointment.date} />
        <p>
          <SpanTimes {...appointment} />
        </p>
      </div>
      <input type="hidden" name="template" value={template.id} />
      <QuestionFields
        questions={template.questions}
        valuesOf={(question) => refused?.typed[answerField(question)] ?? []}
        refused={refused}
      />
      <div className="flex flex-wrap gap-3">
        <Submit>Book</Submit>
        <ButtonLink quiet to={`/details/${appointment.id}`}>
          Back
        </ButtonLink>
      </div>
    </PostForm>
  );
}
