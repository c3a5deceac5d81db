import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import * as paths from '../../paths';
import { TextLink } from '../Button';
import { Select } from './Field';

type Props = {
  templates: { id: string; displayName: string }[];
  chosen?: string | null;
  refused?: Refusal;
  help?: ReactNode; // says when the questions are asked, if not at a booking
};

const atBooking = (
  <>
    Whoever books is asked these. <TextLink to={paths.createTemplate()}>Write questions</TextLink>
  </>
);

/** Chooses a template. The chosen one stays in the list even if it was edited since. */
export function TemplateSelect({ templates, chosen, refused, help = atBooking }: Props) {
  const isEarlier = chosen && !templates.some(({ id }) => id === chosen);
  return (
    <Select name="templateId" label="Questions" isOptional defaultValue={chosen ?? ''} refused={refused} help={help}>
      <option value="">No questions</option>
      {isEarlier && <option value={chosen}>The questions as they are</option>}
      {templates.map(({ id, displayName }) => (
        <option key={id} value={id}>
          {displayName}
        </option>
      ))}
    </Select>
  );
}
