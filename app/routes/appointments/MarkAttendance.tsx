import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PostForm, Submit } from '../../components/forms/Form';
import { useWords } from '../../components/words';
import { type Attendance, attendanceWords } from '../../domain/people/attendance-words';
import type { Words } from '../../domain/words/words';

const marks = ['seen', 'missed', 'excused'] as const;

export function markedWords(attendance: Attendance | null): Words {
  if (attendance === null || attendance === 'unknown') return msg`The mark is taken back.`;
  const mark = attendanceWords[attendance];
  return msg`Marked: ${mark}.`;
}

/**
 * Marks a client of an appointment that has begun: most came. The mark that stands is pressed, and pressing it takes it back.
 */
export function MarkAttendance({ name, attendance }: { name: string; attendance: Attendance }) {
  const words = useWords();
  const main = attendance === 'unknown' ? 'seen' : attendance;
  return (
    <PostForm>
      <input type="hidden" name="intent" value="mark" />
      <fieldset>
        <legend className="pb-2 font-semibold">
          <Trans>
            Did <bdi>{name}</bdi> come?
          </Trans>
        </legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {marks.map((as) => {
            const isPressed = attendance === as;
            return (
              <Submit
                key={as}
                isText={as !== main}
                name="as"
                value={isPressed ? 'unknown' : as}
                aria-pressed={isPressed}
              >
                {isPressed && <span aria-hidden="true">✓&nbsp;</span>}
                {words(attendanceWords[as])}
              </Submit>
            );
          })}
        </div>
      </fieldset>
    </PostForm>
  );
}
