import { Trans } from '@lingui/react/macro';
import { Card } from '../../components/Card';
import { Face } from '../../components/Face';
import { PostForm, Submit } from '../../components/forms/Form';
import { useBookPaths } from '../../components/frame/book-paths';
import { ClockTime } from '../../components/times/Time';
import type { SheetLine } from '../../domain/calendar/sheet';

export function WhoCame({ lines, zone }: { lines: SheetLine[]; zone: string }) {
  const desk = useBookPaths();
  return (
    <Card title={<Trans>Who came?</Trans>}>
      <ul className="news">
        {lines.map(({ id, name, startsAt }) => (
          <li key={id}>
            <Face name={name} />
            <p>
              <bdi>{name}</bdi>, <ClockTime at={startsAt} zone={zone} />
            </p>
            <PostForm action={desk.day()} className="flex gap-2">
              <input type="hidden" name="from" value="home" />
              <Submit quiet name={`as.${id}`} value="seen">
                <Trans>
                  Came<span className="sr-only">: {name}</span>
                </Trans>
              </Submit>
              <Submit quiet name={`as.${id}`} value="missed">
                <Trans>
                  No<span className="sr-only">: {name} did not come</span>
                </Trans>
              </Submit>
            </PostForm>
          </li>
        ))}
      </ul>
    </Card>
  );
}
