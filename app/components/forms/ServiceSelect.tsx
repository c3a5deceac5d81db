import type { Refusal } from '../../domain/errors';
import { lengthWords } from '../../domain/time/clock';
import * as paths from '../../paths';
import { TextLink } from '../Button';
import { Select } from './Field';

export type ServiceChoice = { id: string; name: string; minutes: number };

export const ServiceOptions = ({ services }: { services: ServiceChoice[] }) => (
  <>
    <option value="">Any service</option>
    {services.map(({ id, name, minutes }) => (
      <option key={id} value={id}>
        {`${name}, ${lengthWords(minutes)}`}
      </option>
    ))}
  </>
);

type Props = { services: ServiceChoice[]; chosen?: string | null; refused?: Refusal };

export function ServiceSelect({ services, chosen, refused }: Props) {
  if (services.length === 0) return null;
  return (
    <Select
      name="serviceId"
      label="Service"
      isOptional
      defaultValue={chosen ?? ''}
      refused={refused}
      help={
        <>
          Times for one service have its length, gap, places and questions. “Any service” takes each that is for one
          person. <TextLink to={paths.services()}>Your services</TextLink>
        </>
      }
    >
      <ServiceOptions services={services} />
    </Select>
  );
}
