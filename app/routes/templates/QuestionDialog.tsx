import { Button, TextButton } from '../../components/Button';
import { TextField } from '../../components/Field';
import { typeWords } from '../../components/QuestionWords';
import { limits } from '../../domain/limits';
import { questionType } from '../../domain/questions';
import type { DialogState } from '../../domain/template-editor';

const types = [questionType.openEnded, questionType.multipleChoice, questionType.singleChoice];

/** The add-field dialog: part of the form, so that it works without script and loses nothing. */
export function QuestionDialog({ dialog }: { dialog: DialogState }) {
  const { place, text, type, required, choices } = dialog;
  return (
    <section
      aria-labelledby="question-title"
      className="grid gap-5 rounded-card border border-rule border-t-4 border-t-accent bg-paper p-5"
    >
      <h2 id="question-title" className="text-xl">
        {place === null ? 'New question' : 'Change the question'}
      </h2>
      <input type="hidden" name="dialog" value="open" />
      <input type="hidden" name="question-place" value={place ?? ''} />
      <TextField
        name="question-text"
        label="Field name"
        placeholder="What should we know?"
        defaultValue={text}
        maxLength={limits.template.text}
        autoFocus
      />
      <fieldset className="grid gap-2 sm:grid-cols-3">
        <legend className="mb-1 font-semibold">Type</legend>
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
              className="size-5 accent-accent"
            />
            {typeWords[value]}
          </label>
        ))}
      </fieldset>
      <fieldset className="for-choices grid gap-3">
        <legend className="mb-1 font-semibold">Choices</legend>
        {[...choices.entries()].map(([index, choice]) => (
          <div key={index} className="flex items-center gap-2">
            <input
              name="question-choice"
              aria-label={`Choice ${index + 1}`}
              defaultValue={choice}
              maxLength={limits.template.text}
              className="min-h-12 min-w-0 flex-1 rounded-md border-[1.5px] border-edge bg-card px-3 text-base"
            />
            <TextButton name="press" value={`remove-choice:${index}`}>
              Remove<span className="sr-only"> choice {index + 1}</span>
            </TextButton>
          </div>
        ))}
        <div>
          <TextButton name="press" value="add-choice" disabled={choices.length >= limits.template.options}>
            Add a choice
          </TextButton>
        </div>
      </fieldset>
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input type="checkbox" name="question-required" defaultChecked={required} className="size-5 accent-accent" />
        Must be answered
      </label>
      <div className="flex flex-wrap gap-3">
        <Button name="press" value="keep">
          {place === null ? 'Add question' : 'Keep the change'}
        </Button>
        <Button quiet name="press" value="close">
          Close
        </Button>
      </div>
    </section>
  );
}
