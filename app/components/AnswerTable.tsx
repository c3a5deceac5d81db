import type { Answer } from '../domain/questions';

/** What was asked and answered. */
export function AnswerTable({ answers }: { answers: Answer[] }) {
  return (
    <table className="w-full table-fixed text-left">
      <caption className="pb-2 text-left font-serif text-lg font-semibold">Answers</caption>
      <thead className="text-sm text-muted">
        <tr>
          <th scope="col" className="py-2 font-normal">
            Question
          </th>
          <th scope="col" className="py-2 font-normal">
            Answer
          </th>
        </tr>
      </thead>
      <tbody>
        {answers.map(({ question, answer }) => (
          <tr key={question} className="border-t border-dashed border-rule align-top">
            <th scope="row" className="py-2 pr-4 font-semibold break-words">
              {question}
            </th>
            <td className="py-2 break-words whitespace-pre-line">{answer.replaceAll('|', ', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
