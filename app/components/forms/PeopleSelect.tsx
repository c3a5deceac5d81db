import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { Select } from './Field';

type Props = { seats: number; free: number; refused?: Refusal };

/** True if the form asks how many people come: for a class with more than one free place. */
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
