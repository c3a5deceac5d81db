import { PostForm, Submit } from '../../components/forms/Form';
import { type Attendance, attendanceWords } from '../../domain/people/attendance-words';

const marks = ['seen', 'missed', 'excused'] as const;

export const markedWords = (attendance: Attendance | null) =>
  attendance === null || attendance === 'unknown'
    ? 'The mark is taken back.'
    : `Marked: ${attendanceWords[attendance]}.`;

/**
 * Marks a client of an appointment that has begun: most came. The mark that stands is pressed, and pressing it takes it back.
 */
export function MarkAttendance({ name, attendance }: { name: string; attendance: Attendance }) {
  const main = attendance === 'unknown' ? 'seen' : attendance;
  return (
    <PostForm>
      <input type="hidden" name="intent" value="mark" />
      <fieldset>
        <legend className="pb-2 font-semibold">
          Did <bdi>{name}</bdi> come?
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
                {attendanceWords[as]}
              </Submit>
            );
          })}
        </div>
      </fieldset>
    </PostForm>
  );
}
