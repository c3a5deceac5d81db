import { Trans } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import type { Refusal } from '../../domain/errors';
import { fold } from '../../domain/input/fold';
import { limits } from '../../domain/input/limits';
import {
  type Answer,
  answeredValues,
  answerField,
  type Question,
  questionType,
} from '../../domain/templates/questions';
import { Required } from '../QuestionWords';
import { Faults, faultsOf, useDefault } from './Field';
import type { Asked } from './question-parts';

type Props = {
  question: Asked;
  values: string[]; // what the reader has typed, or the earlier answer
  refused?: Refusal;
};

export function QuestionField({ question, values, refused }: Props) {
  const { questionText, questionType: type, options, required, isRest } = question;
  // In a frame a long question is split; its faults are shown at the first part.
  const { id, faults, wiring } = isRest ? { id: '', faults: [], wiring: {} } : faultsOf(refused, question.id);
  const name = answerField(question);
  const label = (
    <span className="font-semibold break-words">
      <bdi>{questionText}</bdi>
      {required && <Required />}
    </span>
  );
  if (type === questionType.openEnded) {
    return (
      <div className="grid gap-1.5">
        <label htmlFor={id}>{label}</label>
        <AnswerArea {...wiring} name={name} aria-required={required} defaultValue={values[0]} />
        <Faults id={`${id}-faults`} faults={faults} />
      </div>
    );
  }
  const chosen = new Set(values.map(fold));
  return (
    <fieldset className="grid gap-2" aria-describedby={wiring['aria-describedby']}>
      <legend className="mb-1.5">{label}</legend>
      <Faults id={`${id}-faults`} faults={faults} />
      {(options ?? []).map((option, place) => (
        <label
          key={option}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-rule px-4 py-2 break-words has-checked:border-accent has-checked:bg-wash"
        >
          <input
            {...(place === 0 && wiring)}
            type={type === questionType.singleChoice ? 'radio' : 'checkbox'}
            name={name}
            value={option}
            defaultChecked={chosen.has(fold(option))}
            className="size-5 shrink-0 accent-accent"
          />
          <bdi>{option}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

type ListProps = {
  questions: Asked[];
  answers?: Answer[]; // the earlier answers
  refused?: Refusal;
};

function AnswerArea(props: ComponentProps<'textarea'> & { defaultValue: string | undefined }) {
  const area = useDefault<HTMLTextAreaElement>(props.defaultValue);
  return (
    <textarea
      {...props}
      ref={area}
      rows={3}
      maxLength={limits.answer}
      className="w-full rounded-md border-[1.5px] border-edge bg-card px-3 py-2.5 text-base aria-invalid:border-accent"
    />
  );
}

/** Questions to answer: with what was typed if the form was refused, else with the earlier answers. */
export function QuestionFields({ questions, answers = [], refused }: ListProps) {
  const valuesOf = (question: Question) =>
    refused ? (refused.typed[answerField(question)] ?? []) : answeredValues(question, answers);
  return (
    <>
      {questions.some(({ required }) => required) && (
        <p className="text-sm text-muted" aria-hidden="true">
          <Trans>
            <span className="text-accent">*</span> has to be answered.
          </Trans>
        </p>
      )}
      {questions.map((question) => (
        <QuestionField key={question.id} question={question} values={valuesOf(question)} refused={refused} />
      ))}
    </>
  );
}
