import { Plural, Trans } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { PostForm, Submit } from '../../components/forms/Form';
import { ReachIcons } from '../../components/Reach';
import { useWords } from '../../components/words';
import type { TextedLine } from '../../domain/calendar/sheet';
import { attendanceSummary } from '../../domain/people/attendance-words';
import { locationOf } from '../../domain/services/where';
import { lengthWords, minute } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
import * as paths from '../../paths';
import { Ticket } from './Ticket';

type Props = { line: TextedLine; zone: string; soon: Words };

export function NextClient({ line, zone, soon }: Props) {
  const words = useWords();
  const {
    id,
    name,
    service,
    startsAt,
    endsAt,
    price,
    attendanceCounts,
    privateNote,
    answers,
    phone,
    text,
    hasBegun,
    lacksAnswers,
  } = line;
  const answered = answers.length;
  const record = attendanceSummary(attendanceCounts);
  const at = locationOf(line, null, true);
  return (
    <Ticket
      at={startsAt}
      zone={zone}
      soon={soon}
      name={name}
      to={paths.providerView(id)}
      facts={[
        service,
        words(lengthWords(Math.round((endsAt - startsAt) / minute))),
        price,
        at && words(at),
        record && words(record),
      ]}
    >
      {(privateNote || answers.length > 0 || lacksAnswers) && (
        <p className="remarks">
          {privateNote && <span className="line-clamp-2">{privateNote}</span>}
          {answers.length > 0 && (
            <span>
              <Plural
                value={answered}
                _1="Answered one question"
                one="Answered # question"
                other="Answered # questions"
              />
            </span>
          )}
          {lacksAnswers && (
            <span>
              <Trans>Questions not answered yet</Trans>
            </span>
          )}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {hasBegun && (
          <PostForm action={paths.day()} className="contents">
            <input type="hidden" name="from" value="home" />
            <Submit name={`as.${id}`} value="seen">
              <Trans context="whether they came">Came</Trans>
            </Submit>
            <Submit quiet name={`as.${id}`} value="missed">
              <Trans>Did not come</Trans>
            </Submit>
          </PostForm>
        )}
        {phone && <ReachIcons {...{ phone, name, text }} />}
        {!hasBegun && (
          <ButtonLink quiet to={paths.move(id)}>
            <Trans context="verb">Move</Trans>
          </ButtonLink>
        )}
        <ButtonLink quiet to={paths.providerView(id)}>
          <Trans>More</Trans>
        </ButtonLink>
      </div>
    </Ticket>
  );
}
