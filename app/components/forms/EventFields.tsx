import type { ReactNode } from 'react';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { Party } from '../../domain/parties/parties';
import type { AskEmail } from '../../domain/profile/rules';
import { localTimeOf } from '../../domain/time/clock';
import { Zone } from '../times/Time';
import { Select, TextArea, TextField } from './Field';
import { TemplateSelect } from './TemplateSelect';

type Props = {
  before?: Party;
  refused?: Refusal;
  zone: string;
  children?: ReactNode;
};

export function EventFields({ before, refused, zone, children }: Props) {
  const time = (at: number | undefined) => (at === undefined || !before ? undefined : localTimeOf(at, before.timeZone));
  return (
    <>
      <TextField
        name="title"
        label="Title"
        required
        maxLength={limits.party.title}
        defaultValue={before?.title}
        refused={refused}
      />
      <div className="grid gap-5 sm:grid-cols-3">
        <TextField name="date" label="Date" type="date" required defaultValue={before?.date} refused={refused} />
        <TextField
          name="startTime"
          label="Start time"
          type="time"
          required
          defaultValue={time(before?.startsAt) ?? '19:00'}
          refused={refused}
        />
        <TextField
          name="endTime"
          label="End time"
          type="time"
          required
          defaultValue={time(before?.endsAt) ?? '23:00'}
          refused={refused}
        />
      </div>
      <p className="text-sm text-muted">
        In <Zone zone={zone} />. An end that is not after the start is on the next day.
      </p>
      <TextArea
        name="description"
        label="Description"
        isOptional
        maxLength={limits.party.description}
        defaultValue={before?.description ?? undefined}
        refused={refused}
      />
      <TextField
        name="address"
        label="Address"
        isOptional
        maxLength={limits.party.address}
        defaultValue={before?.address ?? undefined}
        refused={refused}
      />
      <TextField
        name="locationUrl"
        label="Map link"
        isOptional
        type="url"
        help="Without one, the address is looked up on a map."
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
  return (
    <>
      <TemplateSelect
        templates={templates}
        chosen={before?.templateId}
        refused={refused}
        help="Every guest is asked these."
      />
      <div className="grid gap-5 sm:grid-cols-3">
        <TextField
          name="capacity"
          label="Capacity"
          isOptional
          type="number"
          inputMode="numeric"
          min={1}
          max={limits.party.capacity}
          defaultValue={before?.capacity ?? undefined}
          help="How many people, plus-ones included."
          refused={refused}
        />
        <TextField
          name="plusOnes"
          label="Plus-ones"
          isOptional
          type="number"
          inputMode="numeric"
          min={0}
          max={limits.party.plusOnes}
          defaultValue={before?.plusOnes || undefined}
          help="How many each guest may bring."
          refused={refused}
        />
        <TextField
          name="rsvpBy"
          label="Answer by"
          isOptional
          type="date"
          defaultValue={before?.rsvpBy ?? undefined}
          help="The last day to answer."
          refused={refused}
        />
      </div>
      <Select
        name="openTo"
        label="Who may answer"
        defaultValue={before?.openTo ?? 'accounts'}
        refused={refused}
        help="Without an account people answer with their name."
      >
        <option value="accounts">People with an account</option>
        <option value="anyone">Anyone who has the link</option>
      </Select>
      <AskFields before={before} refused={refused} />
      <div>
        <Tick name="hideGoing" refused={refused} isTicked={before?.hideGoing}>
          Hide from guests how many are coming
        </Tick>
        <Tick name="showOnPage" refused={refused} isTicked={before?.showOnPage}>
          Show it on my page
        </Tick>
      </div>
    </>
  );
}

const asks: [AskEmail, string][] = [
  ['no', 'Not asked'],
  ['optional', 'Asked, may be left out'],
  ['required', 'Asked, must be given'],
];

export const AskFields = ({ before, refused }: Pick<Props, 'before' | 'refused'>) => (
  <div className="grid gap-5 sm:grid-cols-2">
    <Select
      name="askEmail"
      label="E-mail of who comes"
      defaultValue={before?.askEmail ?? 'optional'}
      refused={refused}
      help="Whoever has an account is mailed there anyway."
    >
      {asks.map(askOption)}
    </Select>
    <Select
      name="askPhone"
      label="Phone of who comes"
      defaultValue={before?.askPhone ?? 'no'}
      refused={refused}
      help="Only you see the number."
    >
      {asks.map(askOption)}
    </Select>
  </div>
);

const askOption = ([value, words]: [AskEmail, string]) => (
  <option key={value} value={value}>
    {words}
  </option>
);

/** A notice for the copy of an event whose template was deleted. */
export const LostQuestions = () => (
  <p className="text-muted">Its questions were edited or deleted since: choose them anew, or ask none.</p>
);

type TickProps = { name: string; refused?: Refusal; isTicked?: boolean; children: string };

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
