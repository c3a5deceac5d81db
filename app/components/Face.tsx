import { Icon } from './frame/Icon';
import { initialsOf } from './initials';
import { toneOf } from './tones';

type Props = {
  /** Null where several people did it, or one who has left. */
  name: string | null;
};

/** Initials in a colour, so that a list of names can be scanned. The name stands beside it. */
export const Face = ({ name }: Props) => (
  <span aria-hidden="true" className={`face ${toneOf(name ?? '')}`}>
    {name === null ? <Icon name="people" /> : initialsOf(name)}
  </span>
);
