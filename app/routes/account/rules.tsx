import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { Card } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { Faults, faultsOf, fieldId, Select, TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { SaveBar, savedId } from '../../components/forms/SaveBar';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { getRules, setRules } from '../../domain/bookings/own-rules.server';
import { parse } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { rulesAndReminders } from '../../domain/messages/reminders';
import { getReminders, setReminders } from '../../domain/messages/reminders.server';
import { colours } from '../../domain/profile/looks';
import {
  cancelExample,
  horizonExample,
  minutesWords,
  noticeExample,
  perDayExample,
  perPersonExample,
} from '../../domain/profile/rule-words';
import { todayIn } from '../../domain/time/zones';
import { fields } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('Rules');

export const loader = pageLoader('Provider', async ({ db, actor, now }, { url }) => {
  const [rules, reminders] = await Promise.all([getRules(db, actor, now), getReminders(db, actor, now)]);
  return { rules, reminders, today: todayIn(actor.timeZone, now), isSaved: url.searchParams.has('saved') };
});

export const action = formAction('Provider', async ({ db, actor, now }, typed) => {
  const { reminders, ...rules } = parse(rulesAndReminders, fields(typed, ...(typed.reminders ? ['reminders'] : [])));
  await Promise.all([setRules(db, actor, rules, now), setReminders(db, actor, { reminders }, now)]);
  return redirect(`${paths.rules({ saved: 'yes' })}#${savedId}`, 303);
});

/** The choices for reminders, in minutes before the start. */
const times = [60, 120, 240, 720, 1440, 2880, 4320, 10_080, 20_160];

const lengths = [0, 15, 30, 60, 120, 240, 720, 1440, 2880, 4320, 10_080, 20_160, 43_200];

/** Options for a length: the usual ones, and the one that is set. */
const Lengths = ({ set, none }: { set: number; none: string }) =>
  [...new Set([...lengths, set])]
    .sort((one, other) => one - other)
    .map((minutes) => (
      <option key={minutes} value={minutes}>
        {minutes === 0 ? none : minutesWords(minutes)}
      </option>
    ));

const AskOptions = () => (
  <>
    <option value="no">Not asked for</option>
    <option value="optional">Asked for, may stay empty</option>
    <option value="required">Has to be given</option>
  </>
);

export default function RulesPage() {
  const { rules, reminders, today, isSaved } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const number = { type: 'number', inputMode: 'numeric', min: 1, refused, isOptional: true } as const;
  return (
    <Page title="Rules" subtitle="Who may book, when, and how much">
      <ErrorSummary refused={refused} />
      <PostForm className="grid gap-6" preventScrollReset>
        <div className="columns">
          <Card title="Your page">
            <Select name="colour" label="Colour" defaultValue={rules.colour} refused={refused}>
              {colours.map((colour) => (
                <option key={colour} value={colour}>
                  {colour[0]?.toUpperCase() + colour.slice(1)}
                </option>
              ))}
            </Select>
            <Select
              name="head"
              label="Above it"
              defaultValue={rules.head}
              refused={refused}
              help="Flags suit a party or a shop, and not a doctor."
            >
              <option value="plain">Nothing</option>
              <option value="festive">Flags, as over an invitation</option>
            </Select>
          </Card>
          <Card title="Who may book">
            <Select
              name="openTo"
              label="Open to"
              defaultValue={rules.openTo}
              refused={refused}
              help="Without an account people give a name and get a link to their appointment."
            >
              <option value="anyone">Anyone</option>
              <option value="accounts">People with an account</option>
            </Select>
            <Select
              name="askEmail"
              label="E-mail address of whoever has no account"
              defaultValue={rules.askEmail}
              refused={refused}
              help="You see the address beside their appointment."
            >
              <AskOptions />
            </Select>
            <Select
              name="askPhone"
              label="Phone number of whoever books"
              defaultValue={rules.askPhone}
              refused={refused}
              help="You see it beside their appointment, and can call or message them from there."
            >
              <AskOptions />
            </Select>
          </Card>
          <Card title="When">
            <Select
              name="notice"
              label="Booked at least this long before"
              defaultValue={String(rules.notice)}
              refused={refused}
              help={noticeExample(rules.notice)}
            >
              <Lengths set={rules.notice} none="No notice" />
            </Select>
            <TextField
              {...number}
              name="horizonDays"
              label="Booked at most this many days ahead"
              defaultValue={rules.horizonDays ?? ''}
              max={limits.horizonDays}
              help={horizonExample(rules.horizonDays, today)}
            />
            <Select
              name="cancelUntil"
              label="Canceled or moved at least this long before"
              defaultValue={String(rules.cancelUntil)}
              refused={refused}
              help={`${cancelExample(rules.cancelUntil)} You yourself can do both until it starts. What is booked keeps the rule that stood then.`}
            >
              <Lengths set={rules.cancelUntil} none="Until it starts" />
            </Select>
          </Card>
          <Card title="Your own parties and meetups">
            <Select
              name="partiesBlock"
              label="While one of them is on"
              defaultValue={String(rules.partiesBlock)}
              refused={refused}
              help="What is booked already stays booked."
            >
              <option value="true">Nobody can book</option>
              <option value="false">People can book</option>
            </Select>
          </Card>
          <Card title="When nothing is free">
            <Select
              name="waitlist"
              label="People may wait for a time to come free"
              defaultValue={rules.waitlist}
              refused={refused}
              help="What is canceled is then held for whoever has waited longest, and offered to them at once."
            >
              <option value="on">Yes</option>
              <option value="off">No</option>
            </Select>
          </Card>
          <Card title="How much">
            <TextField
              {...number}
              name="perPerson"
              label="Coming appointments that one person may have"
              defaultValue={rules.perPerson ?? ''}
              max={limits.perRule}
              help={perPersonExample(rules.perPerson)}
            />
            <TextField
              {...number}
              name="perDay"
              label="Appointments that a day may have"
              defaultValue={rules.perDay ?? ''}
              max={limits.perRule}
              help={perDayExample(rules.perDay)}
            />
          </Card>
          <Card title="Reminders">
            <fieldset className="grid gap-2">
              <legend className="mb-1 font-semibold">Before the start, people are reminded</legend>
              <Faults id={`${fieldId('reminders')}-faults`} faults={faultsOf(refused, 'reminders').faults} />
              <input type="hidden" name="reminders" value="" />
              {[...new Set([...times, ...reminders])]
                .sort((one, other) => one - other)
                .map((minutes) => (
                  <label key={minutes} className="flex min-h-11 items-center gap-3">
                    <input
                      type="checkbox"
                      name="reminders"
                      value={minutes}
                      defaultChecked={
                        refused ? refused.typed.reminders?.includes(String(minutes)) : reminders.includes(minutes)
                      }
                      className="size-5 shrink-0 accent-accent"
                    />
                    {minutesWords(minutes)} before
                  </label>
                ))}
              <p className="text-sm text-muted">Three at most, in their news and by mail.</p>
            </fieldset>
          </Card>
          <Card title="Answers">
            <TextField
              {...number}
              name="keepAnswersDays"
              label="Days after which answers to your questions are deleted"
              defaultValue={rules.keepAnswersDays ?? ''}
              max={limits.keepAnswersDays}
              help="Counted from the end of an appointment. Empty: they are kept."
            />
          </Card>
        </div>
        <SaveBar done={isSaved && !refused && <p className="done font-semibold">Your rules are saved.</p>}>
          <Submit>Save rules</Submit>
        </SaveBar>
      </PostForm>
    </Page>
  );
}
