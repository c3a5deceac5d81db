import { Card } from '../../components/Card';
import { Faults, faultsOf, TextArea } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { TemplateSelect } from '../../components/forms/TemplateSelect';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { Scope } from '../../domain/slots/change';
import { dateWords } from '../../domain/time/clock';

type Props = {
  appointment: Pick<Appointment, 'date' | 'notes' | 'templateId'>;
  templates: { id: string; displayName: string }[];
  refused?: Refusal;
};

export function ChangeOpen({ appointment: { date, notes, templateId }, templates, refused }: Props) {
  const choices: [Scope, string][] = [
    ['slot', 'This time'],
    ['day', `All free times of ${dateWords(date).full}`],
    ['publication', 'All free times that were published with it'],
  ];
  const chosen = refused?.typed.for?.[0] ?? 'slot';
  const { id, faults, wiring } = faultsOf(refused, 'for');
  return (
    <Card title="Notes and questions" id="notes">
      <PostForm className="grid max-w-2xl gap-5">
        <input type="hidden" name="intent" value="change" />
        <TemplateSelect templates={templates} chosen={templateId} refused={refused} />
        <TextArea
          name="notes"
          label="Notes"
          maxLength={limits.notes}
          defaultValue={notes ?? undefined}
          refused={refused}
          isOptional
          help="Everyone who books reads them."
        />
        <fieldset className="grid gap-1">
          <legend className="font-semibold">Change them for</legend>
          <Faults id={`${id}-faults`} faults={faults} />
          {choices.map(([value, words], place) => (
            <label key={value} className="flex min-h-11 items-center gap-3">
              <input
                {...(place === 0 ? wiring : undefined)}
                type="radio"
                name="for"
                value={value}
                defaultChecked={value === chosen}
                className="size-6 shrink-0 accent-accent"
              />
              {words}
            </label>
          ))}
        </fieldset>
        <p className="text-sm text-muted">What is booked keeps its notes and questions.</p>
        <div>
          <Submit quiet>Save notes and questions</Submit>
        </div>
      </PostForm>
    </Card>
  );
}
