import { mapLink } from '../domain/parties/parties';

const link = 'inline-flex min-h-11 items-center break-words text-accent underline underline-offset-4';

// A phone dials digits, and the plus before them.
const dialled = (phone: string) => phone.replace(/[^\d+]/g, '');

export const MapLink = ({ address }: { address: string }) => (
  <a href={mapLink({ address, locationUrl: null }) ?? undefined} rel="noreferrer" className={link}>
    {address}
  </a>
);

export const CallLink = ({ phone, children }: { phone: string; children?: string }) => (
  <a href={`tel:${dialled(phone)}`} className={link}>
    {children ?? phone}
  </a>
);

export const CallOrMessage = ({ phone }: { phone: string }) => (
  <span className="flex flex-wrap items-center gap-x-4">
    <bdi>{phone}</bdi>
    <CallLink phone={phone}>Call</CallLink>
    <a href={`sms:${dialled(phone)}`} className={link}>
      Message
    </a>
  </span>
);
