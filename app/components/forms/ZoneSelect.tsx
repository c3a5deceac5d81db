import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { Refusal } from '../../domain/errors';
import { Button } from '../Button';
import { useDraftState } from '../frame/drafts';
import { isTyping } from './controls';
import { Select } from './Field';

type Props = {
  zones: string[]; // a short list
  all?: string[]; // all zones, if the reader asked for them
  automatic?: string; // the zone that applies by default
  defaultValue?: string;
  refused?: Refusal;
};

/**
 * Chooses a time zone from a short list. A button sends the form, which comes back with all zones. With script the
 * device's zone is chosen at first.
 */
export function ZoneSelect({ zones, all, automatic, defaultValue = '', refused }: Props) {
  const { t } = useLingui();
  const wrapper = useRef<HTMLDivElement>(null);
  const [device, setDevice] = useState('');
  // Whoever has seen all zones goes on seeing them: one that they have chosen must not go away.
  const [every, setEvery] = useDraftState('zones', () => all);
  if (all && every !== all) setEvery(all);
  // Only the first choice is ours: later ones are the reader's. A browser takes long to make the first formatter of a page, so that is a
  // task of its own, before which it answers to touches.
  useEffect(() => {
    const asking = setTimeout(() => {
      const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
      if (wrapper.current?.querySelector('select')?.value === '' && /^[A-Z]\w+\/\w/.test(own)) setDevice(own);
    });
    return () => clearTimeout(asking);
  }, []);
  useEffect(() => {
    const select = wrapper.current?.querySelector('select');
    if (!device || select?.value !== '') return;
    select.value = device;
    for (const option of select.options) option.defaultSelected = option.value === device;
  }, [device]);
  useEffect(() => {
    if (all && !isTyping()) wrapper.current?.querySelector('select')?.focus();
  }, [all]);
  const chosen = refused?.typed.timeZone?.[0] ?? defaultValue;
  const options = [...new Set([...(every ?? zones), device, chosen])].filter((zone) => zone !== '').sort();
  return (
    <div ref={wrapper} className="grid justify-items-start">
      <div className="w-full">
        <Select
          name="timeZone"
          label={t`Time zone`}
          help={t`The days and times you publish or see are in this zone.`}
          defaultValue={defaultValue}
          refused={refused}
          isNext={all !== undefined}
        >
          {automatic && <option value="">{t`Automatic (${{ zone: automatic.replaceAll('_', ' ') }})`}</option>}
          {options.map((zone) => (
            // An option sends its text, so it needs no `value` if they are the same.
            <option key={zone} value={zone.includes('_') ? zone : undefined}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
      </div>
      {!every && (
        <Button isText name="zones" value="all" formNoValidate>
          <Trans>Other time zones</Trans>
        </Button>
      )}
    </div>
  );
}
