import { useEffect, useRef } from 'react';
import type { Refusal } from '../domain/errors';
import { Select } from './Field';

type Props = {
  zones: string[];
  /** The zone that holds where none is chosen. */
  automatic?: string;
  defaultValue?: string;
  refused?: Refusal;
};

/** The choice of a time zone. With script a first choice is the device's own zone, for a person to see and change. */
export function ZoneSelect({ zones, automatic, defaultValue, refused }: Props) {
  const around = useRef<HTMLDivElement>(null);
  // Only when it comes: what is chosen afterwards is theirs.
  const known = useRef(zones);
  useEffect(() => {
    const select = around.current?.querySelector('select');
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (select && select.value === '' && known.current.includes(own)) select.value = own;
  }, []);
  return (
    <div ref={around}>
      <Select
        name="timeZone"
        label="Time zone"
        help="The days and times you publish or see are in this zone."
        defaultValue={defaultValue ?? ''}
        refused={refused}
      >
        {automatic && <option value="">Automatic ({automatic.replaceAll('_', ' ')})</option>}
        {zones.map((zone) => (
          // Where it says its own name it needs no value beside.
          <option key={zone} value={zone.includes('_') ? zone : undefined}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </Select>
    </div>
  );
}
