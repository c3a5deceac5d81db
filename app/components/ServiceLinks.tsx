import type { Service } from '../domain/services/services';
import { lengthWords } from '../domain/time/clock';

type Props = { services: Pick<Service, 'id' | 'name' | 'minutes' | 'price'>[]; to: (id: string) => string };

export const ServiceLinks = ({ services, to }: Props) => (
  <ul className="tiles offers">
    {services.map(({ id, name, minutes, price }) => (
      <li key={id}>
        <a href={to(id)}>
          <b>{name}</b> {price && <b>{price}</b>} <small>{lengthWords(minutes)}</small>
        </a>
      </li>
    ))}
  </ul>
);
