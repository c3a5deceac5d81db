import type { ReactNode } from 'react';
import { Face } from './Face';

type Props = {
  name: string;
  /** The page about it. */
  to?: string;
  /** Stands before the name. */
  place?: string;
  acts?: ReactNode;
  /** What the row opens, under its name. */
  below?: ReactNode;
  children: ReactNode;
};

/** A row of a list: a face of initials, a name, quiet lines below it, and what can be done at the end. */
export const Line = ({ name, to, place, acts, below, children }: Props) => (
  <li className="relative">
    <Face name={name} />
    <div>
      <b className="font-semibold break-words">
        {place}
        {to ? (
          <a href={to}>
            <bdi>{name}</bdi>
          </a>
        ) : (
          <bdi>{name}</bdi>
        )}
      </b>
      {children}
    </div>
    {acts && <div className="again">{acts}</div>}
    {below}
  </li>
);
