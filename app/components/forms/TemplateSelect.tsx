import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import * as paths from '../../paths';
import { TextLink } from '../Button';
import { useShell } from '../frame/shell';
import { Select } from './Field';

type Props = {
  templates: { id: string; displayName: string }[];
  chosen?: string | null;
  refused?: Refusal;
  help?: ReactNode; // says when the questions are asked, if not at a booking
};

/** Questions are written by whoever asks them, so not at the desk. */
const AtBooking = () => {
  const { book } = useShell();
  return (
    <>
      <Trans>Whoever books is asked these.</Trans>{' '}
      {(!book || book.isShop) && (
        <TextLink to={paths.createTemplate()}>
          <Trans>Write questions</Trans>
        </TextLink>
      )}
    </>
  );
};

/** Chooses a template. The chosen one stays in the list even if it was edited since. */
export function TemplateSelect({ templates, chosen, refused, help = <AtBooking /> }: Props) {
  const { t } = useLingui();
  const isEarlier = chosen && !templates.some(({ id }) => id === chosen);
  return (
    <Select name="templateId" label={t`Questions`} isOptional defaultValue={chosen ?? ''} refused={refused} help={help}>
      <option value="">{t`No questions`}</option>
      {isEarlier && <option value={chosen}>{t`The questions as they are`}</option>}
      {templates.map(({ id, displayName }) => (
        <option key={id} value={id}>
          {displayName}
        </option>
      ))}
    </Select>
  );
}
