import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { Select } from './Field';

type Props = { seats: number; free: number; refused?: Refusal };

/** Whether it is asked how many people come: to a class, unless one place is left. */
export const isAskedHowMany = ({ seats, free }: Pick<Props, 'seats' | 'free'>): boolean => seats > 1 && free > 1;

export function PeopleSelect({ seats, free, refused }: Props) {
  const { t } = useLingui();
  if (!isAskedHowMany({ seats, free })) return null;
  return (
    <Select name="people" label={t`How many people`} defaultValue="1" refused={refused}>
      {Array.from({ length: Math.min(free, limits.people) }, (_, index) => index + 1).map((count) => (
        <option key={count} value={count}>
          {count}
        </option>
      ))}
    </Select>
  );
}
