import { Card, Empty } from '../../components/Card';
import { cityPath } from './paths';

export function ChooseCity({ cities }: { cities: string[] }) {
  return (
    <Card title="Which city?">
      {cities.length === 0 && <Empty>No results found</Empty>}
      <ul className="tiles cities grid gap-3 sm:grid-cols-2">
        {cities.map((city) => (
          <li key={city}>
            <a href={cityPath(city)}>{city}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
