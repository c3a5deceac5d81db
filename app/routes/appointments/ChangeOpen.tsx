import { useLingui } from '@lingui/react/macro';
import { Card } from '../../components/Card';
import { Faults, faultsOf, TextArea } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { TemplateSelect } from '../../components/forms/TemplateSelect';
import { useWords } from '../../components/words';
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
  const { t } = useLingui();
  const day = useWords()(dateWords(date).full);
  const choices: [Scope, string][] = [
    ['slot', t`This time`],
    ['day', t`All free times of ${day}`],
    ['publication', t`All free times that were published with it`],
  ];
  const chosen = refused?.typed.for?.[0] ?? 'slot';
  const { id, faults, wiring } = faultsOf(refused, 'for');
  return (
    <Card title={t`Notes and questions`} id="notes">
      <PostForm className="grid max-w-2xl gap-5">
        <input type="hidden" name="intent" value="change" />
        <TemplateSelect templates={templates} chosen={templateId} refused={refused} />
        <TextArea
          name="notes"
          label={t`Notes`}
          maxLength={limits.notes}
          defaultValue={notes ?? undefined}
          refused={refused}
          isOptional
          help={t`Everyone who books reads them.`}
        />
        <fieldset className="grid gap-1">
          <legend className="font-semibold">{t`Change them for`}</legend>
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
        <p className="text-sm text-muted">{t`What is booked keeps its notes and questions.`}</p>
        <div>
          <Submit quiet>{t`Save notes and questions`}</Submit>
        </div>
      </PostForm>
    </Card>
  );
}
