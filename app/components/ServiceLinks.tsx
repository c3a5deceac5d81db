import { offerWords, type Service } from '../domain/services/services';
import { useShell } from './frame/shell';
import { useWords } from './words';

type Offer = Pick<Service, 'id' | 'name' | 'minutes' | 'price' | 'deposit' | 'seats' | 'where'> & {
  days?: number[];
  /** In a shop: the longest that somebody takes for it, and each price. */
  minutesTo?: number;
  prices?: string[];
};

/** What stands on the tile of a service. */
export const OfferFacts = ({ name, price, prices = [price ?? ''], ...offer }: Omit<Offer, 'id'>) => {
  const words = useWords();
  const { weekStart } = useShell();
  const said = prices.filter(Boolean).join(' / ');
  return (
    <>
      <b>{name}</b>{' '}
      {said && (
        <b>
          <bdi>{said}</bdi>
        </b>
      )}{' '}
      <small>{words(offerWords(offer, weekStart))}</small>
    </>
  );
};

export const ServiceLinks = ({ services, to }: { services: Offer[]; to: (id: string) => string }) => (
  <ul className="tiles offers">
    {services.map((service) => (
      <li key={service.id}>
        <a href={to(service.id)}>
          <OfferFacts {...service} />
        </a>
      </li>
    ))}
  </ul>
);
