import { type Question, type QuestionType, questionType } from '../domain/templates/questions';

export const typeWords: Record<QuestionType, string> = {
  [questionType.openEnded]: 'Short Response',
  [questionType.multipleChoice]: 'Multiple Choice',
  [questionType.singleChoice]: 'Single Choice',
};

export function QuestionWords({ question }: { question: Omit<Question, 'id'> }) {
  const { questionText, questionType: type, required, options } = question;
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="font-semibold break-words">
        {questionText}
        {required && <Required />}
      </p>
      <p className="text-sm break-words text-muted">
        {typeWords[type]}
        {options && `: ${options.join(', ')}`}
      </p>
    </div>
  );
}

export function Required() {
  return (
    <span className="text-accent">
      {' '}
      <span aria-hidden="true">*</span>
      <span className="sr-only">(required)</span>
    </span>
  );
}
