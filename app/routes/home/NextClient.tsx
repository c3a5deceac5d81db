import { ButtonLink } from '../../components/Button';
import { PostForm, Submit } from '../../components/forms/Form';
import { ReachIcons } from '../../components/Reach';
import type { SheetLine } from '../../domain/calendar/sheet';
import { attendanceSummary } from '../../domain/people/attendance-words';
import { lengthWords, minute } from '../../domain/time/clock';
import * as paths from '../../paths';
import { Ticket } from './Ticket';

export function NextClient({ line, zone, soon }: { line: SheetLine; zone: string; soon: string }) {
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
    hasBegun,
    lacksAnswers,
  } = line;
  const count = answers.length === 1 ? 'Answered one question' : `Answered ${answers.length} questions`;
  return (
    <Ticket
      at={startsAt}
      zone={zone}
      soon={soon}
      name={name}
      to={paths.providerView(id)}
      facts={[
        service,
        lengthWords(Math.round((endsAt - startsAt) / minute)),
        price,
        attendanceSummary(attendanceCounts),
      ]}
    >
      {(privateNote || answers.length > 0 || lacksAnswers) && (
        <p className="remarks">
          {privateNote && <span className="line-clamp-2">{privateNote}</span>}
          {answers.length > 0 && <span>{count}</span>}
          {lacksAnswers && <span>Questions not answered yet</span>}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {hasBegun && (
          <PostForm action={paths.day()} className="contents">
            <input type="hidden" name="from" value="home" />
            <Submit name={`as.${id}`} value="seen">
              Came
            </Submit>
            <Submit quiet name={`as.${id}`} value="missed">
              Did not come
            </Submit>
          </PostForm>
        )}
        {phone && <ReachIcons phone={phone} name={name} />}
        {!hasBegun && (
          <ButtonLink quiet to={paths.move(id)}>
            Move
          </ButtonLink>
        )}
        <ButtonLink quiet to={paths.providerView(id)}>
          More
        </ButtonLink>
      </div>
    </Ticket>
  );
}
