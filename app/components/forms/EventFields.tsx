import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { Party } from '../../domain/parties/parties';
import type { HowAsked } from '../../domain/profile/rules';
import { localTimeOf } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
import { Zone } from '../times/Time';
import { useWords } from '../words';
import { Select, TextArea, TextField } from './Field';
import { TemplateSelect } from './TemplateSelect';

type Props = {
  before?: Party;
  refused?: Refusal;
  zone: string;
  children?: ReactNode;
};

export function EventFields({ before, refused, zone, children }: Props) {
  const { t } = useLingui();
  const time = (at: number | undefined) => (at === undefined || !before ? undefined : localTimeOf(at, before.timeZone));
  return (
    <>
      <TextField
        name="title"
        label={t`Title`}
        required
        maxLength={limits.party.title}
        defaultValue={before?.title}
        refused={refused}
      />
      <div className="grid gap-5 sm:grid-cols-3">
        <TextField name="date" label={t`Date`} type="date" required defaultValue={before?.date} refused={refused} />
        <TextField
          name="startTime"
          label={t`Start time`}
          type="time"
          required
          defaultValue={time(before?.startsAt) ?? '19:00'}
          refused={refused}
        />
        <TextField
          name="endTime"
          label={t`End time`}
          type="time"
          required
          defaultValue={time(before?.endsAt) ?? '23:00'}
          refused={refused}
        />
      </div>
      <p className="text-sm text-muted">
        <Trans>
          In <Zone zone={zone} />. An end that is not after the start is on the next day.
        </Trans>
      </p>
      <TextArea
        name="description"
        label={t`Description`}
        isOptional
        maxLength={limits.party.description}
        defaultValue={before?.description ?? undefined}
        refused={refused}
      />
      <TextField
        name="address"
        label={t`Address`}
        isOptional
        maxLength={limits.party.address}
        defaultValue={before?.address ?? undefined}
        refused={refused}
      />
      <TextField
        name="locationUrl"
        label={t`Map link`}
        isOptional
        type="url"
        help={t`Without one, the address is looked up on a map.`}
        maxLength={limits.party.url}
        defaultValue={before?.locationUrl ?? undefined}
        refused={refused}
      />
      {children}
    </>
  );
}

type PartyProps = { before?: Party; refused?: Refusal; templates: { id: string; displayName: string }[] };

export function PartyFields({ before, refused, templates }: PartyProps) {
  const { t } = useLingui();
  return (
    <>
      <TemplateSelect
        templates={templates}
        chosen={before?.templateId}
        refused={refused}
        help={t`Every guest is asked these.`}
      />
      <div className="grid gap-5 sm:grid-cols-3">
        <TextField
          name="capacity"
          label={t`Capacity`}
          isOptional
          type="number"
          inputMode="numeric"
          min={1}
          max={limits.party.capacity}
          defaultValue={before?.capacity ?? undefined}
          help={t`How many people, plus-ones included.`}
          refused={refused}
        />
        <TextField
          name="plusOnes"
          label={t`Plus-ones`}
          isOptional
          type="number"
          inputMode="numeric"
          min={0}
          max={limits.party.plusOnes}
          defaultValue={before?.plusOnes || undefined}
          help={t`How many each guest may bring.`}
          refused={refused}
        />
        <TextField
          name="rsvpBy"
          label={t`Answer by`}
          isOptional
          type="date"
          defaultValue={before?.rsvpBy ?? undefined}
          help={t`The last day to answer.`}
          refused={refused}
        />
      </div>
      <Select
        name="openTo"
        label={t`Who may answer`}
        defaultValue={before?.openTo ?? 'accounts'}
        refused={refused}
        help={t`Without an account people answer with their name.`}
      >
        <option value="accounts">{t`People with an account`}</option>
        <option value="anyone">{t`Anyone who has the link`}</option>
      </Select>
      <AskFields before={before} refused={refused} />
      <div>
        <Tick name="hideGoing" refused={refused} isTicked={before?.hideGoing}>
          <Trans>Hide from guests how many are coming</Trans>
        </Tick>
        <Tick name="showOnPage" refused={refused} isTicked={before?.showOnPage}>
          <Trans>Show it on my page</Trans>
        </Tick>
      </div>
    </>
  );
}

const asks: [HowAsked, Words][] = [
  ['no', msg`Not asked`],
  ['optional', msg`Asked, may be left out`],
  ['required', msg`Asked, must be given`],
];

export function AskFields({ before, refused }: Pick<Props, 'before' | 'refused'>) {
  const { t } = useLingui();
  const words = useWords();
  const options = asks.map(([value, ask]) => (
    <option key={value} value={value}>
      {words(ask)}
    </option>
  ));
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Select
        name="askEmail"
        label={t`E-mail of who comes`}
        defaultValue={before?.askEmail ?? 'optional'}
        refused={refused}
        help={t`Whoever has an account is mailed there anyway.`}
      >
        {options}
      </Select>
      <Select
        name="askPhone"
        label={t`Phone of who comes`}
        defaultValue={before?.askPhone ?? 'no'}
        refused={refused}
        help={t`Only you see the number.`}
      >
        {options}
      </Select>
    </div>
  );
}

/** A notice for the copy of an event whose template was deleted. */
export const LostQuestions = () => (
  <p className="text-muted">
    <Trans>Its questions were edited or deleted since: choose them anew, or ask none.</Trans>
  </p>
);

type TickProps = { name: string; refused?: Refusal; isTicked?: boolean; children: ReactNode };

export const Tick = ({ name, refused, isTicked, children }: TickProps) => (
  <label className="flex min-h-11 cursor-pointer items-center gap-3">
    <input
      type="checkbox"
      name={name}
      defaultChecked={refused ? refused.typed[name] !== undefined : isTicked}
      className="size-5 shrink-0 accent-accent"
    />
    {children}
  </label>
);
