import { useLingui } from '@lingui/react/macro';
import { Card } from '../../components/Card';
import { TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { Doer, Service } from '../../domain/services/services';

type Props = {
  service: Service;
  people: Doer[];
  refused: Refusal | undefined;
};

/** The name of a field that each of the people has. */
export const named = (field: string, username: string) => `${field}-${username}`;

/** Says who of the shop does a service, for how long and how much. */
export function WhoDoesIt({ service, people, refused }: Props) {
  const { t } = useLingui();
  const asked = refused?.typed.person ? refused.typed : undefined;
  const { min, max } = limits.minutes;
  return (
    <Card title={t`Who does it`}>
      <PostForm className="grid gap-5">
        <p className="text-sm text-muted">
          {t`Whoever does it has it in their own list too. A length or price that is like the shop's changes with it.`}
        </p>
        {people.map(({ username, displayName, minutes, price }) => {
          const doesIt = minutes !== null;
          return (
            <fieldset key={username} className="grid gap-3 border-b border-dashed border-rule pb-4 sm:grid-cols-3">
              <legend className="sr-only">{displayName}</legend>
              <input type="hidden" name="person" value={username} />
              <label className="flex min-h-11 min-w-0 items-center gap-3 self-end">
                <input
                  type="checkbox"
                  name="does"
                  value={username}
                  defaultChecked={asked ? asked.does?.includes(username) : doesIt}
                  className="size-5 shrink-0 accent-accent"
                />
                <bdi className="min-w-0 break-words font-semibold">{displayName}</bdi>
              </label>
              <TextField
                name={named('minutes', username)}
                label={t`Length in minutes`}
                type="number"
                inputMode="numeric"
                min={min}
                max={max}
                defaultValue={minutes ?? service.minutes}
                refused={refused}
              />
              <TextField
                name={named('price', username)}
                label={t`Price`}
                isOptional
                maxLength={limits.service.price}
                defaultValue={(doesIt ? price : service.price) ?? ''}
                refused={refused}
              />
            </fieldset>
          );
        })}
        <div>
          <Submit name="press" value="who">{t`Save who does it`}</Submit>
        </div>
      </PostForm>
    </Card>
  );
}
