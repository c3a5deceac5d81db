import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Question, type QuestionType, questionType } from '../domain/templates/questions';
import { withCommas } from '../domain/words/joined';
import type { Words } from '../domain/words/words';
import { useWords } from './words';

export const typeWords: Record<QuestionType, Words> = {
  [questionType.openEnded]: msg`Short Response`,
  [questionType.multipleChoice]: msg`Multiple Choice`,
  [questionType.singleChoice]: msg`Single Choice`,
};

export function QuestionWords({ question }: { question: Omit<Question, 'id'> }) {
  const words = useWords();
  const { questionText, questionType: type, required, options } = question;
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="font-semibold break-words">
        <bdi>{questionText}</bdi>
        {required && <Required />}
      </p>
      <p className="text-sm break-words text-muted">
        {words(typeWords[type])}
        {options && `: ${words(withCommas(options))}`}
      </p>
    </div>
  );
}

export function Required() {
  return (
    <span className="text-accent">
      {' '}
      <span aria-hidden="true">*</span>
      <span className="sr-only">
        <Trans>(required)</Trans>
      </span>
    </span>
  );
}
