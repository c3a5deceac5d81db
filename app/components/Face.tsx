import { initialsOf } from './initials';
import { toneOf } from './tones';

/** Initials in a colour, so that a list of names can be scanned. The name stands beside it. */
export const Face = ({ name }: { name: string }) => (
  <span aria-hidden="true" className={`face ${toneOf(name)}`}>
    {initialsOf(name)}
  </span>
);
