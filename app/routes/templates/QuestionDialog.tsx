import { Trans, useLingui } from '@lingui/react/macro';
import { type MouseEvent, useState } from 'react';
import { Button } from '../../components/Button';
import { isTyping } from '../../components/forms/controls';
import { Faults, faultsOf, TextField } from '../../components/forms/Field';
import { useIsSending } from '../../components/forms/Form';
import { useDraftState } from '../../components/frame/drafts';
import { Icon } from '../../components/frame/Icon';
import { typeWords } from '../../components/QuestionWords';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { DialogState } from '../../domain/templates/editor';
import { questionType } from '../../domain/templates/questions';

const types = [questionType.openEnded, questionType.multipleChoice, questionType.singleChoice];

/**
 * The dialog for a question. It is part of the form, so it works without script and loses nothing. While the form is
 * being sent, it can't be typed in, because the response would replace the text.
 */
export function QuestionDialog({ dialog, refused }: { dialog: DialogState; refused: Refusal }) {
  const { place, text, type, required, choices, choiceAt } = dialog;
  const isSending = useIsSending();
  const words = useWords();
  const { t } = useLingui();
  return (
    <section
      aria-labelledby="question-title"
      aria-busy={isSending}
      className="grid gap-5 rounded-card border border-rule border-t-4 border-t-accent bg-paper p-5"
    >
      <h2 id="question-title" className="text-xl">
        {place === null ? t`New question` : t`Change the question`}
      </h2>
      <input type="hidden" name="dialog" value="open" />
      <input type="hidden" name="question-place" value={place ?? ''} />
      <TextField
        name="question-text"
        label={t`Field name`}
        placeholder={t`What should we know?`}
        defaultValue={text}
        maxLength={limits.template.text}
        autoFocus={choiceAt === undefined && refused.faults.length === 0 && !isTyping()}
        refused={refused}
        readOnly={isSending}
      />
      <fieldset className="grid gap-2 sm:grid-cols-3">
        <legend className="mb-1 font-semibold">{t({ message: 'Type', context: 'kind' })}</legend>
        {types.map((value) => (
          <label
            key={value}
            className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-rule bg-card px-4 has-checked:border-accent has-checked:bg-wash"
          >
            <input
              type="radio"
              name="question-type"
              value={value}
              defaultChecked={value === type}
              className="size-5 shrink-0 accent-accent"
            />
            {words(typeWords[value])}
          </label>
        ))}
      </fieldset>
      <Choices place={place} choices={choices} choiceAt={choiceAt} isSending={isSending} refused={refused} />
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          name="question-required"
          defaultChecked={required}
          className="size-5 shrink-0 accent-accent"
        />
        {t`Must be answered`}
      </label>
      <div className="flex flex-wrap gap-3">
        <Button name="press" value="keep">
          {place === null ? t`Add question` : t`Keep the change`}
        </Button>
        <Button quiet name="press" value="close">
          {t`Close`}
        </Button>
      </div>
    </section>
  );
}

type ChoicesProps = Pick<DialogState, 'place' | 'choices' | 'choiceAt'> & { isSending: boolean; refused: Refusal };

/** The choices of a question. With script they are added and removed in place. The inputs themselves hold the text. */
function Choices({ place, choices, choiceAt, isSending, refused }: ChoicesProps) {
  const { id, faults, wiring } = faultsOf(refused, 'question-choice');
  const { t } = useLingui();
  const labelAt = (index: number) => {
    const number = index + 1;
    return t`Choice ${number}`;
  };
  const [rows, setRows] = useDraftState(`choices ${place ?? 'new'}`, () =>
    choices.map((choice, key) => ({ key, choice, isFocused: key === choiceAt })),
  );
  // A response brings the choices as they were sent.
  const [brought, setBrought] = useState(choices);
  if (brought !== choices) {
    setBrought(choices);
    setRows(rows.map((row, index) => ({ ...row, choice: choices[index] ?? row.choice })));
  }
  const blank = (isFocused: boolean) => ({ key: Math.max(...rows.map(({ key }) => key)) + 1, choice: '', isFocused });
  const add = (event: MouseEvent) => {
    event.preventDefault();
    if (isSending) return;
    setRows([...rows, blank(true)]);
  };
  const remove = (event: MouseEvent, removed: number) => {
    event.preventDefault();
    if (isSending) return;
    const row = event.currentTarget.parentElement;
    const next = row?.nextElementSibling?.querySelector('input') ?? row?.previousElementSibling?.querySelector('input');
    next?.focus();
    const remaining = rows.filter(({ key }) => key !== removed);
    // Two fields are always there, as without script.
    setRows(remaining.length < 2 ? [...remaining, blank(false)] : remaining);
  };
  return (
    <fieldset className="for-choices grid gap-3" aria-describedby={wiring['aria-describedby']}>
      <legend className="mb-1 font-semibold">{t`Choices`}</legend>
      <Faults id={`${id}-faults`} faults={faults} />
      {rows.map(({ key, choice, isFocused }, index) => (
        <div key={key} className="flex items-center gap-2">
          <input
            {...(index === 0 && wiring)}
            name="question-choice"
            aria-label={labelAt(index)}
            defaultValue={choice}
            maxLength={limits.template.text}
            // biome-ignore lint/a11y/noAutofocus: whoever asked for a choice goes on by typing it
            autoFocus={isFocused}
            readOnly={isSending}
            className="min-h-12 min-w-0 flex-1 rounded-md border-[1.5px] border-edge bg-card px-3 text-base"
          />
          <Button ends="off" name="press" value={`remove-choice:${index}`} onClick={(event) => remove(event, key)}>
            <RemoveChoice number={index + 1} />
          </Button>
        </div>
      ))}
      <div>
        <Button isText name="press" value="add-choice" disabled={rows.length >= limits.template.options} onClick={add}>
          <Icon name="plus" />
          {t`Add a choice`}
        </Button>
      </div>
    </fieldset>
  );
}

const RemoveChoice = ({ number }: { number: number }) => (
  <Trans>
    Remove<span className="sr-only"> choice {number}</span>
  </Trans>
);
