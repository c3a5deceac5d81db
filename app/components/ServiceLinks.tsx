import type { Service } from '../domain/services/services';
import { lengthWords } from '../domain/time/clock';
import { TextLink } from './Button';

type Props = { services: Pick<Service, 'id' | 'name' | 'minutes' | 'price'>[]; to: (id: string) => string };

/** The services, each one tap away, with length and price beside it. */
export const ServiceLinks = ({ services, to }: Props) => (
  <ul className="grid">
    {services.map(({ id, name, minutes, price }) => (
      <li key={id} className="border-b border-dashed border-rule py-2 last:border-0">
        <TextLink to={to(id)}>{name}</TextLink>
        <span className="block text-sm text-muted">{[lengthWords(minutes), price].filter(Boolean).join(' · ')}</span>
      </li>
    ))}
  </ul>
);
