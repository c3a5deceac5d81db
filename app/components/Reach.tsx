import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { mapLink } from '../domain/parties/parties';
import { ButtonLink, TextAction } from './Button';
import { Icon } from './frame/Icon';

const link = 'inline-flex min-h-11 items-center break-words underline underline-offset-4';

// A phone dials only digits and a leading plus.
const dialled = (phone: string) => phone.replace(/[^\d+]/g, '');

export const MapLink = ({ address }: { address: string }) => (
  <a href={mapLink({ address, locationUrl: null }) ?? undefined} rel="noreferrer" className={link}>
    {address}
  </a>
);

export const VideoLink = ({ href }: { href: string }) => (
  <a href={href} rel="noreferrer" className="break-all underline underline-offset-4">
    {href}
  </a>
);

/** `name` tells the links of a list apart for people with a screen reader. */
type LinkProps = { phone: string; name?: string };

const Call = ({ name }: Pick<LinkProps, 'name'>) =>
  name ? (
    <Trans>
      Call<span className="sr-only"> {name}</span>
    </Trans>
  ) : (
    <Trans>Call</Trans>
  );

const Message = ({ name }: Pick<LinkProps, 'name'>) =>
  name ? (
    <Trans context="verb">
      Message<span className="sr-only"> {name}</span>
    </Trans>
  ) : (
    <Trans context="verb">Message</Trans>
  );

export const CallLink = ({ phone, name, children }: LinkProps & { children?: ReactNode }) => (
  <a href={`tel:${dialled(phone)}`} className={link}>
    {children ?? <bdi>{phone}</bdi>}
    {name && <span className="sr-only"> {name}</span>}
  </a>
);

export const MessageLink = ({ phone, name }: LinkProps) => (
  <a href={`sms:${dialled(phone)}`} className={link}>
    <Message name={name} />
  </a>
);

export const CallButton = ({ phone }: { phone: string }) => (
  <ButtonLink quiet to={`tel:${dialled(phone)}`}>
    <Call />
  </ButtonLink>
);

export const CallOrMessage = ({ phone }: { phone: string }) => (
  <span className="flex flex-wrap items-center gap-x-4">
    <bdi>{phone}</bdi>
    <CallLink phone={phone}>
      <Call />
    </CallLink>
    <MessageLink phone={phone} />
  </span>
);

/** Beside somebody's name. */
export const ReachIcons = ({ phone, name }: { phone: string; name: string }) => (
  <p className="no-print flex gap-2">
    <a href={`tel:${dialled(phone)}`} className="round">
      <Icon name="call" />
      <span className="sr-only">
        <Trans>Call {name}</Trans>
      </span>
    </a>
    <a href={`sms:${dialled(phone)}`} className="round">
      <Icon name="text" />
      <span className="sr-only">
        <Trans>Text {name}</Trans>
      </span>
    </a>
  </p>
);

/** Beside somebody in a list, whose line says the number. */
export const CallOrMessageLinks = ({ phone, name }: LinkProps) => (
  <>
    <TextAction to={`tel:${dialled(phone)}`} icon="call">
      <Call name={name} />
    </TextAction>
    <TextAction to={`sms:${dialled(phone)}`} icon="text">
      <Message name={name} />
    </TextAction>
  </>
);

/** A phone number in a table. On paper the links disappear and the number stays. */
export const NumberInTable = ({ phone, name }: LinkProps) => (
  <small>
    <CallLink phone={phone} />{' '}
    <span className="no-print">
      <MessageLink phone={phone} name={name} />
    </span>
  </small>
);
