import { TextButton } from '../../components/Button';
import { focusFirst } from '../../components/forms/Field';
import { QuestionWords } from '../../components/QuestionWords';
import type { QuestionDraft } from '../../domain/templates/templates';
import type { RowButton } from './step';

type Props = {
  asked: QuestionDraft;
  place: number;
  count: number;
  /** The button that gets the focus. */
  next?: RowButton;
};

export function QuestionLine({ asked, place, count, next }: Props) {
  const at = (button: RowButton) => ({
    name: 'press',
    value: `${button}:${place}`,
    ...(next === button && focusFirst),
  });
  const of = <span className="sr-only">: {asked.questionText}</span>;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-dashed border-rule py-3 last:border-0">
      <QuestionWords question={asked} />
      <div className="flex flex-wrap gap-x-2">
        <TextButton {...at('up')} disabled={place === 0}>
          Up{of}
        </TextButton>
        <TextButton {...at('down')} disabled={place === count - 1}>
          Down{of}
        </TextButton>
        <TextButton {...at('change')}>Change{of}</TextButton>
        <TextButton {...at('remove')}>Remove{of}</TextButton>
      </div>
    </li>
  );
}
