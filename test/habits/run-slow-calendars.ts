import { mostTime, slowestCalendars } from './slow-calendars';
import { say, told } from './tool';

/* `npm run fuzz -- calendars [how many] [seed]` */

export function runSlowCalendars(): void {
  process.argv.splice(2, 1);
  const { many, seed } = told('Calendars', 500);
  say(`${many} calendars, seed ${seed}`);
  const slowest = slowestCalendars(many, seed);
  for (const { time, kinds, result, letters } of slowest)
    say(`${time.toFixed(1)} ms  ${letters} letters of ${kinds.join(', ')}: ${result}`);
  if ((slowest[0]?.time ?? 0) > mostTime) process.exitCode = 1;
}
