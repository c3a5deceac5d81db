import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../components/Button';
import { focusFirst } from '../../components/forms/Field';
import { Icon } from '../../components/frame/Icon';
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

/** Words for which a phone has no room beside their icon. */
const OnWideScreens = ({ children }: { children: string }) => (
  <span className="sr-only sm:not-sr-only">{children}</span>
);

export function QuestionLine({ asked, place, count, next }: Props) {
  const at = (button: RowButton) => ({
    name: 'press',
    value: `${button}:${place}`,
    ...(next === button && focusFirst),
  });
  const { t } = useLingui();
  const { questionText } = asked;
  const of = <span className="sr-only">: {questionText}</span>;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-dashed border-rule py-3 last:border-0">
      <QuestionWords question={asked} />
      <div className="flex flex-wrap gap-x-4 text-sm">
        <Button isText {...at('up')} disabled={place === 0}>
          <Icon name="up" />
          <OnWideScreens>{t`Up`}</OnWideScreens>
          {of}
        </Button>
        <Button isText {...at('down')} disabled={place === count - 1}>
          <Icon name="down" />
          <OnWideScreens>{t`Down`}</OnWideScreens>
          {of}
        </Button>
        <Button isText {...at('change')}>
          <Icon name="edit" />
          <Trans>
            Change<span className="sr-only">: {questionText}</span>
          </Trans>
        </Button>
        <Button ends="off" {...at('remove')}>
          <Trans>
            Remove<span className="sr-only">: {questionText}</span>
          </Trans>
        </Button>
      </div>
    </li>
  );
}
