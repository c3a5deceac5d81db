import { useId } from 'react';
import type { Fault } from '../domain/errors';
import { fold } from '../domain/input/fold';
import { limits } from '../domain/input/limits';
import { answerField, type Question, questionType } from '../domain/templates/questions';
import { Faults, focusFirst } from './Field';
import { Required } from './QuestionWords';

type Props = {
  question: Question;
  /** What was typed or answered before: the values of this question. */
  values: string[];
  faults: Fault[];
};

/** One check-in question by its type: one of some, any of some, or text with room. */
export function QuestionField({ question, values, faults }: Props) {
  const id = useId();
  const { questionText, questionType: type, options, required } = question;
  const own = faults.filter(({ field }) => field === question.id);
  const faultId = own.length > 0 ? `${id}-faults` : undefined;
  const name = answerField(question);
  const label = (
    <span className="font-semibold break-words">
      {questionText}
      {required && <Required />}
    </span>
  );
  if (type === questionType.openEnded) {
    return (
      <div className="grid gap-1.5">
        <label htmlFor={id}>{label}</label>
        <textarea
          id={id}
          name={name}
          rows={3}
          maxLength={limits.answer}
          aria-required={required}
          aria-invalid={own.length > 0 || undefined}
          aria-describedby={faultId}
          {...(own.length > 0 && focusFirst)}
          defaultValue={values[0]}
          className="w-full rounded-md border-[1.5px] border-edge bg-card px-3 py-2.5 text-base aria-invalid:border-accent"
        />
        <Faults id={faultId} faults={own} />
      </div>
    );
  }
  const chosen = new Set(values.map(fold));
  return (
    <fieldset className="grid gap-2" aria-describedby={faultId}>
      <legend className="mb-1.5">{label}</legend>
      {(options ?? []).map((option) => (
        <label
          key={option}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-rule px-4 py-2 break-words has-checked:border-accent has-checked:bg-wash"
        >
          <input
            type={type === questionType.singleChoice ? 'radio' : 'checkbox'}
            name={name}
            value={option}
            defaultChecked={chosen.has(fold(option))}
            className="size-5 shrink-0 accent-accent"
          />
          {option}
        </label>
      ))}
      <Faults id={faultId} faults={own} />
    </fieldset>
  );
}

type ListProps = {
  questions: Question[];
  /** Values by question id. */
  valuesOf: (question: Question) => string[];
  faults: Fault[];
};

/** The questions of a template, in their order; what belongs to none of them is said first. */
export function QuestionFields({ questions, valuesOf, faults }: ListProps) {
  const ids = new Set(questions.map(({ id }) => id));
  return (
    <>
      <Faults faults={faults.filter(({ field }) => field === null || !ids.has(field))} />
      {questions.map((question) => (
        <QuestionField key={question.id} question={question} values={valuesOf(question)} faults={faults} />
      ))}
      {questions.some(({ required }) => required) && (
        <p className="text-sm text-muted">
          <span aria-hidden="true">
            <span className="text-accent">*</span> has to be answered.
          </span>
        </p>
      )}
    </>
  );
}
