import { type Person, rowsOf } from '../support/factories';
import { type Asked, askedOf, visitor } from '../support/visit';

/* What the lists and the claim of a shop ask of D1, each once. */

type OfShop = { shop: string; service: string; location: string };

/** Reads each list of a shop as a stranger, then books with anyone at the first start of its first day. */
export async function rowsOfShop(
  url: string,
  client: Person,
  { shop, service, location }: OfShop,
): Promise<(Asked & { what: string })[]> {
  const stranger = visitor(url);
  const query = `provider=${shop}&service=${service}`;
  const counted: (Asked & { what: string })[] = [];
  const count = <Answered extends { status: number; headers: Headers }>(what: string, answered: Answered) => {
    if (answered.status !== 200) throw new Error(`${what} was answered ${answered.status}.`);
    counted.push({ what, ...askedOf(answered.headers) });
    return answered;
  };
  count('the page', await stranger.get(`/with/${shop}`));
  count('the page with a service', await stranger.get(`/with/${shop}?service=${service}`));
  const dates = count('Public/Dates', await stranger.api('GET', `/api/Public/Dates?${query}`)).json as string[];
  const times = count('Public/Times', await stranger.api('GET', `/api/Public/Times?${query}`));
  const ofDay = `/api/Public/Times?${query}&dates=${dates[0]}`;
  count('Public/Times of a day', await stranger.api('GET', ofDay));
  const providers = `/api/Appointment/GetProviders?location=${encodeURIComponent(location)}`;
  count('GetProviders', await client.api('GET', providers));
  const [first] = rowsOf(times);
  count('the form of anyone’s time', await stranger.get(`/with/${shop}/at/${first?.startsAt}?service=${service}`));
  const claim = new URLSearchParams({ shop, startsAt: first?.startsAt ?? '', service });
  count('BookAnyone', await client.api('PUT', `/api/Appointment/BookAnyone?${claim}`));
  return counted;
}
