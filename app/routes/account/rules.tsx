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

const asks = [
  { value: 'no', words: 'Not asked for' },
  { value: 'optional', words: 'Optional' },
  { value: 'required', words: 'Required' },
];

/** The headings of the groups, by their anchors. */
const groups = { who: 'Who may book', when: 'When', limits: 'Limits', reminders: 'Reminders' };

export default function RulesPage() {
  const { rules, reminders, today, isSaved } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const number = { type: 'number', inputMode: 'numeric', min: 1, refused, isOptional: true } as const;
  return (
    <Page title="Rules" subtitle="Who may book, when, and how much">
      <ErrorSummary refused={refused} />
      <nav aria-label="On this page" className="flex flex-wrap gap-x-6">
        {Object.entries(groups).map(([id, words]) => (
          <a key={id} href={`#${id}`} className="act">
            {words}
          </a>
        ))}
        <TextAction to={`${paths.yourPage()}#look`} icon="page">
          How your page looks
        </TextAction>
      </nav>
      <PostForm className="grid gap-6" preventScrollReset>
        <div className="pairs">
          <Card id="who" title={groups.who}>
            <Chips
              name="openTo"
              label="Open to"
              chosen={[rules.openTo]}
              refused={refused}
              help="Without an account people give a name and get a link to their appointment."
              chips={[
                { value: 'anyone', words: 'Anyone' },
                { value: 'accounts', words: 'People with an account' },
              ]}
            />
            <Chips
              name="askEmail"
              label="E-mail address of whoever has no account"
              chosen={[rules.askEmail]}
              refused={refused}
              help="You see the address beside their appointment."
              chips={asks}
            />
            <Chips
              name="askPhone"
              label="Phone number of whoever books"
              chosen={[rules.askPhone]}
              refused={refused}
              help="You see it beside their appointment, and can call or message them from there."
              chips={asks}
            />
            <TextField
              {...number}
              name="keepAnswersDays"
              label="Days after which answers to your questions are deleted"
              defaultValue={rules.keepAnswersDays ?? ''}
              max={limits.keepAnswersDays}
              help="Counted from the end of an appointment. Empty: they are kept."
            />
          </Card>
          <Card id="when" title={groups.when}>
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
            <Chips
              name="partiesBlock"
              label="While a party or meetup of yours is on"
              chosen={[String(rules.partiesBlock)]}
              refused={refused}
              help="What is booked already stays booked."
              chips={[
                { value: 'true', words: 'Nobody can book' },
                { value: 'false', words: 'People can book' },
              ]}
            />
          </Card>
          <Card id="limits" title={groups.limits}>
            <TextField
              {...number}
              name="perPerson"
              label="Coming appointments of one person"
              defaultValue={rules.perPerson ?? ''}
              max={limits.perRule}
              help={perPersonExample(rules.perPerson)}
            />
            <TextField
              {...number}
              name="perDay"
              label="Appointments of a day"
              defaultValue={rules.perDay ?? ''}
              max={limits.perRule}
              help={perDayExample(rules.perDay)}
            />
            <Chips
              name="waitlist"
              label="When nothing is free, people may wait for a time"
              chosen={[rules.waitlist]}
              refused={refused}
              help="What is canceled is then held for whoever has waited longest, and offered to them at once."
              chips={[
                { value: 'on', words: 'Yes' },
                { value: 'off', words: 'No' },
              ]}
            />
          </Card>
          <Card id="reminders" title={groups.reminders}>
            <Chips
              isMany
              name="reminders"
              label="People are reminded before the start"
              chosen={reminders.map(String)}
              refused={refused}
              help="Three at most, in their news and by mail."
              chips={[...new Set([...times, ...reminders])]
                .sort((one, other) => one - other)
                .map((minutes) => ({ value: String(minutes), words: minutesWords(minutes) }))}
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
