import { Trans, useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { lengthWords } from '../../domain/time/clock';
import { TextLink } from '../Button';
import { useBookPaths } from '../frame/book-paths';
import { useWords } from '../words';
import { Select } from './Field';

export type ServiceChoice = { id: string; name: string; minutes: number };

export function ServiceOptions({ services }: { services: ServiceChoice[] }) {
  const { t } = useLingui();
  const words = useWords();
  return (
    <>
      <option value="">{t`Any service`}</option>
      {services.map(({ id, name, minutes }) => (
        <option key={id} value={id}>
          {`${name}, ${words(lengthWords(minutes))}`}
        </option>
      ))}
    </>
  );
}

type Props = { services: ServiceChoice[]; chosen?: string | null; refused?: Refusal };

export function ServiceSelect({ services, chosen, refused }: Props) {
  const desk = useBookPaths();
  const { t } = useLingui();
  if (services.length === 0) return null;
  return (
    <Select
      name="serviceId"
      label={t`Service`}
      isOptional
      defaultValue={chosen ?? ''}
      refused={refused}
      help={
        <>
          <Trans>
            Times for one service have its length, gap, places and questions. “Any service” takes each that is for one
            person.
          </Trans>{' '}
          <TextLink to={desk.services()}>
            <Trans>Your services</Trans>
          </TextLink>
        </>
      }
    >
      <ServiceOptions services={services} />
    </Select>
  );
}
