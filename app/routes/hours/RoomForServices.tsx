import { Button } from '../../components/Button';
import { lossOf, type Room } from '../../domain/hours/room';
import { lengthWords, weekdays } from '../../domain/time/clock';

/** 'Cut, 45 minutes: 8 fit on a Monday, 2 fewer than with starts every 15 minutes.' */
function roomWords(room: Room, step: number): string {
  const { name, minutes, day, visits } = room;
  const fitting = `${name}, ${lengthWords(minutes)}: ${visits === 1 ? '1 fits' : `${visits} fit`} on a ${weekdays[day]}`;
  return lossOf(room) === 0
    ? `${fitting}.`
    : `${fitting}, ${lossOf(room)} fewer than with starts every ${step} minutes.`;
}

/** @param step the needed one, in minutes, which a button chooses if services lose time */
export function RoomForServices({ room, step }: { room: Room[]; step: number }) {
  return (
    <div className="grid justify-items-start gap-2">
      <ul className="grid gap-1">
        {room.map((each) => (
          <li key={each.id} className={`break-words ${lossOf(each) > 0 ? 'text-warn' : ''}`}>
            {roomWords(each, step)}
          </li>
        ))}
      </ul>
      {room.some((each) => lossOf(each) > 0) && (
        <Button quiet name="press" value={`step:${step}`}>
          {`Start every ${step} minutes`}
        </Button>
      )}
    </div>
  );
}
