import { useLingui } from '@lingui/react/macro';
import type { Service } from '../../domain/services/services';
import { lengthWords } from '../../domain/time/clock';
import { useWords } from '../words';

type Props = {
  services: Service[];
  chosen: string | null;
  asItIs: number | null; // the length in minutes without a service; null if it varies
  to: (service: string | null) => string;
};

export function WhatFor({ services, chosen, asItIs, to }: Props) {
  const { t } = useLingui();
  const words = useWords();
  const choices = [...services, { id: null, name: t`No service`, minutes: asItIs }];
  return (
    <nav aria-label={t`What for`}>
      <ul className="tiles offers">
        {choices.map(({ id, name, minutes }) => (
          <li key={id}>
            <a href={to(id)} aria-current={id === chosen ? 'true' : undefined} className="h-full">
              <b>{name}</b> {minutes !== null && <small>{words(lengthWords(minutes))}</small>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
