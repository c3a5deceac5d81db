import { Trans } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';

export function OfferAgain({ isOn, refused }: { isOn: boolean; refused?: Refusal }) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        name="republish"
        value="true"
        defaultChecked={refused ? refused.typed.republish?.[0] === 'true' : isOn}
        className="size-5 shrink-0 accent-accent"
      />
      <Trans>Offer its time again, so that others can book it</Trans>
    </label>
  );
}
