import { useEffect, useRef } from 'react';
import type { Refusal } from '../domain/errors';
import { Select } from './Field';

type Props = {
  zones: string[];
  /** The zone that applies if none is chosen. */
  automatic?: string;
  defaultValue?: string;
  refused?: Refusal;
};

/** Chooses a time zone. With script the first choice is the device's zone; the reader sees it and can change it. */
export function ZoneSelect({ zones, automatic, defaultValue, refused }: Props) {
  const around = useRef<HTMLDivElement>(null);
  // Only at the start: later choices are the reader's.
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
          // An option whose text is its value needs no `value`.
          <option key={zone} value={zone.includes('_') ? zone : undefined}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </Select>
    </div>
  );
}
