import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextAction } from '../../components/Button';
import { Card } from '../../components/Card';
import { Chips } from '../../components/forms/Chips';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { Select, TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { SaveBar, savedId } from '../../components/forms/SaveBar';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { getRules, setRules } from '../../domain/bookings/own-rules.server';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { rulesAndReminders } from '../../domain/messages/reminders';
import { getReminders, setReminders } from '../../domain/messages/reminders.server';
import {
  cancelExample,
  horizonExample,
  minutesWords,
  noticeExample,
  perDayExample,
  perPersonExample,
} from '../../domain/profile/rule-words';
import { todayIn } from '../../domain/time/zones';
import type { Words } from '../../domain/words/words';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Rules`);

export const loader = pageLoader('Provider', async ({ db, actor, now }, { url }) => {
  const [rules, reminders] = await Promise.all([getRules(db, actor, now), getReminders(db, actor, now)]);
  return { rules, reminders, today: todayIn(actor.timeZone, now), isSaved: url.searchParams.has('saved') };
});

export const action = formAction('Provider', async ({ db, actor, now, isLocal }, typed) => {
  const { reminders, ...rules } = parse(rulesAndReminders, fields(typed, ...(typed.reminders ? ['reminders'] : [])));
  await Promise.all([setRules(db, actor, rules, now, { isLocal }), setReminders(db, actor, { reminders }, now)]);
  return redirect(`${paths.rules({ saved: 'yes' })}#${savedId}`, 303);
});

/** The choices for reminders, in minutes before the start. */
const times = [60, 120, 240, 720, 1440, 2880, 4320, 10_080, 20_160];

const lengths = [0, 15, 30, 60, 120, 240, 720, 1440, 2880, 4320, 10_080, 20_160, 43_200];

/** Options for a length: the usual ones, and the one that is set. */
function Lengths({ set, none }: { set: number; none: string }) {
  const words = useWords();
  return [...new Set([...lengths, set])]
    .sort((one, other) => one - other)
    .map((minutes) => (
      <option key={minutes} value={minutes}>
        {minutes === 0 ? none : words(minutesWords(minutes))}
      </option>
    ));
}

const asks: { value: string; asked: Words }[] = [
  { value: 'no', asked: msg`Not asked for` },
  { value: 'optional', asked: msg`Optional` },
  { value: 'required', asked: msg`Required` },
];

/** The headings of the groups, by their anchors. */
const groups = { who: msg`Who may book`, when: msg`When`, limits: msg`Limits`, reminders: msg`Reminders` };

export default function RulesPage() {
  const { rules, reminders, today, isSaved } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const number = { type: 'number', inputMode: 'numeric', min: 1, refused, isOptional: true } as const;
  const words = useWords();
  const { t } = useLingui();
  const askChips = asks.map(({ value, asked }) => ({ value, words: words(asked) }));
  const example = words(cancelExample(rules.cancelUntil));
  return (
    <Page title={t`Rules`} subtitle={t`Who may book, when, and how much`}>
      <ErrorSummary refused={refused} />
      <nav aria-label={t`On this page`} className="flex flex-wrap gap-x-6">
        {Object.entries(groups).map(([id, heading]) => (
          <a key={id} href={`#${id}`} className="act">
            {words(heading)}
          </a>
        ))}
        <TextAction to={`${paths.yourPage()}#look`} icon="page">
          {t`How your page looks`}
        </TextAction>
      </nav>
      <PostForm className="grid gap-6" preventScrollReset>
        <div className="pairs">
          <Card id="who" title={words(groups.who)}>
            <Chips
              name="openTo"
              label={t`Open to`}
              chosen={[rules.openTo]}
              refused={refused}
              help={t`Without an account people give a name and get a link to their appointment.`}
              chips={[
                { value: 'anyone', words: t`Anyone` },
                { value: 'accounts', words: t`People with an account` },
              ]}
            />
            <Chips
              name="askEmail"
              label={t`E-mail address of whoever has no account`}
              chosen={[rules.askEmail]}
              refused={refused}
              help={t`You see the address beside their appointment.`}
              chips={askChips}
            />
            <Chips
              name="askPhone"
              label={t`Phone number of whoever books`}
              chosen={[rules.askPhone]}
              refused={refused}
              help={t`You see it beside their appointment, and can call or message them from there.`}
              chips={askChips}
            />
            <TextField
              {...number}
              name="keepAnswersDays"
              label={t`Days after which answers to your questions are deleted`}
              defaultValue={rules.keepAnswersDays ?? ''}
              max={limits.keepAnswersDays}
              help={t`Counted from the end of an appointment. Empty: they are kept.`}
            />
          </Card>
          <Card id="when" title={words(groups.when)}>
            <Select
              name="notice"
              label={t`Booked at least this long before`}
              defaultValue={String(rules.notice)}
              refused={refused}
              help={words(noticeExample(rules.notice))}
            >
              <Lengths set={rules.notice} none={t`No notice`} />
            </Select>
            <TextField
              {...number}
              name="horizonDays"
              label={t`Booked at most this many days ahead`}
              defaultValue={rules.horizonDays ?? ''}
              max={limits.horizonDays}
              help={words(horizonExample(rules.horizonDays, today))}
            />
            <Select
              name="cancelUntil"
              label={t`Canceled or moved at least this long before`}
              defaultValue={String(rules.cancelUntil)}
              refused={refused}
              help={t`${example} You yourself can do both until it starts. What is booked keeps the rule that stood then.`}
            >
              <Lengths set={rules.cancelUntil} none={t`Until it starts`} />
            </Select>
            <Chips
              name="partiesBlock"
              label={t`While a party or meetup of yours is on`}
              chosen={[String(rules.partiesBlock)]}
              refused={refused}
              help={t`What is booked already stays booked.`}
              chips={[
                { value: 'true', words: t`Nobody can book` },
                { value: 'false', words: t`People can book` },
              ]}
            />
          </Card>
          <Card id="limits" title={words(groups.limits)}>
            <TextField
              {...number}
              name="perPerson"
              label={t`Coming appointments of one person`}
              defaultValue={rules.perPerson ?? ''}
              max={limits.perRule}
              help={words(perPersonExample(rules.perPerson))}
            />
            <TextField
              {...number}
              name="perDay"
              label={t`Appointments of a day`}
              defaultValue={rules.perDay ?? ''}
              max={limits.perRule}
              help={words(perDayExample(rules.perDay))}
            />
            <Chips
              name="waitlist"
              label={t`When nothing is free, people may wait for a time`}
              chosen={[rules.waitlist]}
              refused={refused}
              help={t`What is canceled is then held for whoever has waited longest, and offered to them at once.`}
              chips={[
                { value: 'on', words: t`Yes` },
                { value: 'off', words: t`No` },
              ]}
            />
          </Card>
          <Card id="reminders" title={words(groups.reminders)}>
            <Chips
              isMany
              name="reminders"
              label={t`People are reminded before the start`}
              chosen={reminders.map(String)}
              refused={refused}
              help={t`Three at most, in their news and by mail.`}
              chips={[...new Set([...times, ...reminders])]
                .sort((one, other) => one - other)
                .map((minutes) => ({ value: String(minutes), words: words(minutesWords(minutes)) }))}
            />
          </Card>
        </div>
        <SaveBar done={isSaved && !refused && <p className="done font-semibold">{t`Your rules are saved.`}</p>}>
          <Submit>{t`Save rules`}</Submit>
        </SaveBar>
      </PostForm>
    </Page>
  );
}
