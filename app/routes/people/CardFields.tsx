import { useLingui } from '@lingui/react/macro';
import { TextArea, TextField } from '../../components/forms/Field';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';

type Props = {
  card?: { name: string; email: string | null; phone: string | null; note: string | null };
  refused?: Refusal;
};

export const CardFields = ({ card, refused }: Props) => {
  const { t } = useLingui();
  return (
    <>
      <TextField
        name="name"
        label={t`Name`}
        defaultValue={card?.name}
        required
        maxLength={limits.displayName}
        autoComplete="off"
        refused={refused}
      />
      <TextField
        name="email"
        label={t`E-mail`}
        type="email"
        defaultValue={card?.email ?? ''}
        maxLength={limits.email}
        autoComplete="off"
        isOptional
        refused={refused}
      />
      <TextField
        name="phone"
        label={t`Phone`}
        type="tel"
        defaultValue={card?.phone ?? ''}
        maxLength={limits.phone.max}
        autoComplete="off"
        isOptional
        refused={refused}
      />
      <TextArea
        name="note"
        label={t`Note`}
        defaultValue={card?.note ?? ''}
        maxLength={limits.personNote}
        help={t`The client never sees it. In a shop, its desk does.`}
        isOptional
        refused={refused}
      />
    </>
  );
};
