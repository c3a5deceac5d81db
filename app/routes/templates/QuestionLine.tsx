import { TextButton } from '../../components/Button';
import { QuestionWords } from '../../components/QuestionWords';
import type { QuestionDraft } from '../../domain/templates/templates';

/** A question in the editor's list, with its buttons. */
export function QuestionLine({ asked, place, count }: { asked: QuestionDraft; place: number; count: number }) {
  const of = <span className="sr-only">: {asked.questionText}</span>;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-dashed border-rule py-3 last:border-0">
      <QuestionWords question={asked} />
      <div className="flex flex-wrap gap-x-2">
        <TextButton name="press" value={`up:${place}`} disabled={place === 0}>
          Up{of}
        </TextButton>
        <TextButton name="press" value={`down:${place}`} disabled={place === count - 1}>
          Down{of}
        </TextButton>
        <TextButton name="press" value={`change:${place}`}>
          Change{of}
        </TextButton>
        <TextButton name="press" value={`remove:${place}`}>
          Remove{of}
        </TextButton>
      </div>
    </li>
  );
}
