import { initialsOf } from './initials';

/** The class of a name's colour, which is the same everywhere. */
export const toneOf = (name: string): string =>
  `tone-${[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 4}`;

/** The colour of what is booked, by its service. */
export const toneOfService = (service: string | null | undefined): string => (service ? toneOf(service) : 'tone-1');

/** Initials in a colour, so that a list of names can be scanned. The name stands beside it. */
export const Face = ({ name }: { name: string }) => (
  <span aria-hidden="true" className={`face ${toneOf(name)}`}>
    {initialsOf(name)}
  </span>
);
