import { Trans } from '@lingui/react/macro';
import { type Answer, answersInWords, type Question } from '../domain/templates/questions';

export function AnswerTable({ answers, questions }: { answers: Answer[]; questions: Question[] }) {
  return (
    <table className="w-full table-fixed">
      <caption className="pb-2 text-start font-serif text-lg font-semibold">
        <Trans>Answers</Trans>
      </caption>
      <thead className="text-sm text-muted">
        <tr>
          <th scope="col" className="py-2 font-normal">
            <Trans>Question</Trans>
          </th>
          <th scope="col" className="py-2 font-normal">
            <Trans>Answer</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {answersInWords(questions, answers).map(({ question, answer }) => (
          <tr key={question} className="border-t border-dashed border-rule align-top">
            <th scope="row" className="py-2 pe-4 font-semibold break-words">
              <bdi>{question}</bdi>
            </th>
            <td className="py-2 break-words whitespace-pre-line">{answer}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
