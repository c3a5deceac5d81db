import { msg, plural } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Button } from '../../components/Button';
import { useWords } from '../../components/words';
import { lossOf, type Room } from '../../domain/hours/room';
import { lengthWords, weekdayWords } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';

/** 'Cut, 45 minutes: 8 fit on a Monday, 2 fewer than with starts every 15 minutes.' */
function roomWords(room: Room, step: number): Words {
  const { name, visits } = room;
  const [length, weekday] = [lengthWords(room.minutes), weekdayWords(room.day)];
  const service = msg`${name}, ${length}`;
  const loss = lossOf(room);
  if (loss === 0) {
    return msg`${service}: ${plural({ visits }, { one: '# fits', other: '# fit' })} on a ${{ weekday }}.`;
  }
  return msg`${service}: ${plural({ visits }, { one: '# fits', other: '# fit' })} on a ${{ weekday }}, ${plural(
    { loss },
    { one: '# fewer', other: '# fewer' },
  )} than with starts every ${plural({ step }, { one: '# minute', other: '# minutes' })}.`;
}

/** @param step the needed one, in minutes, which a button chooses if services lose time */
export function RoomForServices({ room, step }: { room: Room[]; step: number }) {
  const words = useWords();
  return (
    <div className="grid justify-items-start gap-2">
      <ul className="grid gap-1">
        {room.map((each) => (
          <li key={each.id} className={`break-words ${lossOf(each) > 0 ? 'text-warn' : ''}`}>
            {words(roomWords(each, step))}
          </li>
        ))}
      </ul>
      {room.some((each) => lossOf(each) > 0) && (
        <Button quiet name="press" value={`step:${step}`}>
          <Plural value={step} one="Start every # minute" other="Start every # minutes" />
        </Button>
      )}
    </div>
  );
}
