import type { ReactNode } from 'react';
import { offerWords, type Service } from '../domain/services/services';
import { roomOfFrame } from './frame/frame-groups';
import { Parts, useFrameGroups } from './frame/Parts';
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

type LinksProps = { services: Offer[]; to: (id: string) => string };

export const ServiceLinks = (props: LinksProps) => (
  <Parts parts={useServiceLists(props).map((content) => ({ content }))} />
);

/** The tiles of services, in as many lists as a frame of another site needs. */
export function useServiceLists({ services, to }: LinksProps): ReactNode[] {
  const words = useWords();
  const { weekStart } = useShell();
  const linesOf = (offer: Offer) =>
    linesOfTile(offer.name, offer.price ?? '') + Math.ceil(words(offerWords(offer, weekStart)).length / 40);
  return useFrameGroups(services, linesOf, roomOfFrame.tiles).map((some) => (
    <ul key={some[0]?.id} className="tiles offers">
      {some.map((service) => (
        <li key={service.id}>
          <a href={to(service.id)}>
            <OfferFacts {...service} />
          </a>
        </li>
      ))}
    </ul>
  ));
}

/** The lines of a tile of a name and a price: those of its text, and one for its edge. */
export const linesOfTile = (...texts: string[]) => 1 + Math.ceil(texts.join(' ').length / 30);
