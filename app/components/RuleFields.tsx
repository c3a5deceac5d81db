import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Refusal } from '../domain/errors';
import { limits } from '../domain/input/limits';
import {
  cancelExample,
  horizonExample,
  minutesWords,
  noticeExample,
  perDayExample,
  perPersonExample,
  ruleNames,
} from '../domain/profile/rule-words';
import type { HouseRule, HouseRules } from '../domain/shop/house-rules';
import type { LocalDate } from '../domain/time/clock';
import type { Words } from '../domain/words/words';
import { Card } from './Card';
import { Chips } from './forms/Chips';
import { Select, TextField } from './forms/Field';
import { useWords } from './words';

/** The headings of the groups, by their anchors. */
const groups = { who: msg`Who may book`, when: msg`When`, limits: msg`Limits`, reminders: msg`Reminders` };

export function GroupsOfRules({ children }: { children?: ReactNode }) {
  const words = useWords();
  const { t } = useLingui();
  return (
    <nav aria-label={t`On this page`} className="flex flex-wrap gap-x-6">
      {Object.entries(groups).map(([id, heading]) => (
        <a key={id} href={`#${id}`} className="act">
          {words(heading)}
        </a>
      ))}
      {children}
    </nav>
  );
}

/** The choices for reminders, in minutes before the start. */
const times = [60, 120, 240, 720, 1440, 2880, 4320, 10_080, 20_160];

const lengths = [0, 15, 30, 60, 120, 240, 720, 1440, 2880, 4320, 10_080, 20_160, 43_200];

/** The usual ones and those that are set, in order. */
const among = (usual: number[], set: number[]) => [...new Set([...usual, ...set])].sort((one, other) => one - other);

const asks: { value: string; asked: Words }[] = [
  { value: 'no', asked: msg`Not asked for` },
  { value: 'optional', asked: msg`Optional` },
  { value: 'required', asked: msg`Required` },
];

type Props = {
  rules: HouseRules;
  refused: Refusal | undefined;
  /** Whoever's own rules they are: the date there, whether their parties block time, and what their shop sets. */
  own?: { today: LocalDate; partiesBlock: boolean; house?: { shopName: string; rules: Partial<HouseRules> | null } };
};

/** The fields of somebody's own rules; without `own` those of a shop, which may leave each rule to each. */
export function RuleFields({ rules, refused, own }: Props) {
  const words = useWords();
  const { t } = useLingui();
  const askChips = asks.map(({ value, asked }) => ({ value, words: words(asked) }));
  const eachTheirOwn = t`Each their own`;
  const leave = own ? [] : [{ value: '', words: eachTheirOwn }];

  /** The rule as a text, where the shop sets it; else its field. */
  const unlessSet = (name: HouseRule, shown: string, field: ReactNode) => {
    const { house } = own ?? {};
    if (house?.rules?.[name] === undefined) return field;
    const { shopName } = house;
    return (
      <div className="grid gap-1">
        <p className="font-semibold">{words(ruleNames[name])}</p>
        <p className="break-words">{shown}</p>
        <p className="text-sm text-muted">{t`Set by ${shopName}`}</p>
      </div>
    );
  };

  type Choice = 'openTo' | 'askEmail' | 'askPhone' | 'waitlist';
  const choice = (name: Choice, help: string, chips: { value: string; words: string }[]) =>
    unlessSet(
      name,
      chips.find(({ value }) => value === rules[name])?.words ?? '',
      <Chips
        name={name}
        label={words(ruleNames[name])}
        chosen={[rules[name] ?? '']}
        refused={refused}
        help={help}
        chips={[...leave, ...chips]}
      />,
    );

  const length = (name: 'notice' | 'cancelUntil', help: string, none: string) => {
    const wordsOf = (minutes: number) => (minutes === 0 ? none : words(minutesWords(minutes)));
    const set = rules[name];
    return unlessSet(
      name,
      wordsOf(set ?? 0),
      <Select name={name} label={words(ruleNames[name])} defaultValue={String(set ?? '')} refused={refused} help={help}>
        {!own && <option value="">{eachTheirOwn}</option>}
        {among(lengths, set === null ? [] : [set]).map((minutes) => (
          <option key={minutes} value={minutes}>
            {wordsOf(minutes)}
          </option>
        ))}
      </Select>,
    );
  };

  type Count = 'horizonDays' | 'perPerson' | 'perDay' | 'keepAnswersDays';
  const count = (name: Count, max: number, help: string) =>
    unlessSet(
      name,
      String(rules[name] ?? ''),
      <TextField
        type="number"
        inputMode="numeric"
        min={1}
        max={max}
        refused={refused}
        isOptional
        name={name}
        label={words(ruleNames[name])}
        defaultValue={rules[name] ?? ''}
        help={help}
      />,
    );

  const cancelHelp = own ? words(cancelExample(rules.cancelUntil ?? 0)) : '';
  const reminderWords = (minutes: number) => words(minutesWords(minutes));
  return (
    <div className="pairs">
      <Card id="who" title={words(groups.who)}>
        {choice('openTo', t`Without an account people give a name and get a link to their appointment.`, [
          { value: 'anyone', words: t`Anyone` },
          { value: 'accounts', words: t`People with an account` },
        ])}
        {choice('askEmail', t`You see the address beside their appointment.`, askChips)}
        {choice('askPhone', t`You see it beside their appointment, and can call or message them from there.`, askChips)}
        {count(
          'keepAnswersDays',
          limits.keepAnswersDays,
          own
            ? t`Counted from the end of an appointment. Empty: they are kept.`
            : t`Counted from the end of an appointment, and for all of you at once. Empty: each their own.`,
        )}
      </Card>
      <Card id="when" title={words(groups.when)}>
        {length('notice', own ? words(noticeExample(rules.notice ?? 0)) : '', t`No notice`)}
        {count(
          'horizonDays',
          limits.horizonDays,
          own ? words(horizonExample(rules.horizonDays, own.today)) : t`Empty: each their own.`,
        )}
        {length(
          'cancelUntil',
          own
            ? t`${{ example: cancelHelp }} You yourself can do both until it starts. What is booked keeps the rule that stood then.`
            : t`What is booked keeps the rule that stood then.`,
          t`Until it starts`,
        )}
        {own && (
          <Chips
            name="partiesBlock"
            label={t`While a party or meetup of yours is on`}
            chosen={[String(own.partiesBlock)]}
            refused={refused}
            help={t`What is booked already stays booked.`}
            chips={[
              { value: 'true', words: t`Nobody can book` },
              { value: 'false', words: t`People can book` },
            ]}
          />
        )}
      </Card>
      <Card id="limits" title={words(groups.limits)}>
        {count(
          'perPerson',
          limits.perRule,
          own ? words(perPersonExample(rules.perPerson)) : t`Counted over all of you. Empty: each their own.`,
        )}
        {count(
          'perDay',
          limits.perRule,
          own ? words(perDayExample(rules.perDay)) : t`Counted for each of you. Empty: each their own.`,
        )}
        {choice(
          'waitlist',
          t`What is canceled is then held for whoever has waited longest, and offered to them at once.`,
          [
            { value: 'on', words: t`Yes` },
            { value: 'off', words: t`No` },
          ],
        )}
      </Card>
      <Card id="reminders" title={words(groups.reminders)}>
        {unlessSet(
          'reminders',
          rules.reminders?.map(reminderWords).join(' · ') || t`No reminder`,
          <Chips
            isMany
            name="reminders"
            label={words(ruleNames.reminders)}
            chosen={rules.reminders?.length === 0 && !own ? [noReminder] : (rules.reminders ?? []).map(String)}
            refused={refused}
            help={
              own
                ? t`Three at most, in their news and by mail.`
                : t`Three at most, in their news and by mail. Nothing chosen: each their own.`
            }
            chips={[
              ...(own ? [] : [{ value: noReminder, words: t`No reminder` }]),
              ...among(times, rules.reminders ?? []).map((minutes) => ({
                value: String(minutes),
                words: reminderWords(minutes),
              })),
            ]}
          />,
        )}
      </Card>
    </div>
  );
}

/** What the form of a shop says where nobody is to be reminded. */
export const noReminder = 'none';
