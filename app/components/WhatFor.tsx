import type { Service } from '../domain/services/services';
import { lengthWords } from '../domain/time/clock';
import { TextLink } from './Button';

type Props = {
  services: Service[];
  chosen: string | null;
  /** How long the time is without a service, in minutes; null where times differ. */
  asItIs: number | null;
  to: (service: string | null) => string;
};

/** What a provider books in free time: the time as it is, or a service, which takes as much of the time after it as it needs. */
export function WhatFor({ services, chosen, asItIs, to }: Props) {
  const ways = [{ id: null, name: 'As it is', minutes: asItIs }, ...services];
  return (
    <nav aria-label="What for" className="flex flex-wrap gap-x-6 gap-y-2">
      {ways.map(({ id, name, minutes }) => {
        const words = minutes === null ? name : `${name}, ${lengthWords(minutes)}`;
        return id === chosen ? (
          <strong key={id} aria-current="true">
            {words}
          </strong>
        ) : (
          <TextLink key={id} to={to(id)}>
            {words}
          </TextLink>
        );
      })}
    </nav>
  );
}
