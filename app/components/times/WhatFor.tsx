import type { Service } from '../../domain/services/services';
import { lengthWords } from '../../domain/time/clock';
import { TextLink } from '../Button';

type Props = {
  services: Service[];
  chosen: string | null;
  asItIs: number | null; // the length in minutes without a service; null if it varies
  to: (service: string | null) => string;
};

export function WhatFor({ services, chosen, asItIs, to }: Props) {
  const choices = [{ id: null, name: 'As it is', minutes: asItIs }, ...services];
  return (
    <nav aria-label="What for" className="flex flex-wrap items-center gap-x-6 gap-y-2">
      {choices.map(({ id, name, minutes }) => {
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
