import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { mapLink } from '../domain/parties/parties';
import { ButtonLink, TextAction } from './Button';
import { Icon } from './frame/Icon';
import { dialled, smsLink, whatsAppLink } from './texting';

const link = 'inline-flex min-h-11 items-center break-words underline underline-offset-4';

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

/** `name` tells the links of a list apart for people with a screen reader; `text` is what the message begins with. */
type LinkProps = { phone: string; name?: string; text?: string };

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

export const MessageLink = ({ phone, name, text }: LinkProps) => (
  <>
    <a href={smsLink(phone, text)} className={link}>
      <Message name={name} />
    </a>
    <WhatsApp {...{ phone, name, text }} />
  </>
);

/** Only for a number with its country. */
function WhatsApp({ phone, name, text }: LinkProps) {
  const href = whatsAppLink(phone, text);
  return (
    href && (
      <>
        {' '}
        <a href={href} rel="noreferrer" className={link}>
          WhatsApp{name && <span className="sr-only"> {name}</span>}
        </a>
      </>
    )
  );
}

export const CallButton = ({ phone }: { phone: string }) => (
  <ButtonLink quiet to={`tel:${dialled(phone)}`}>
    <Call />
  </ButtonLink>
);

export const CallOrMessage = ({ phone, text }: LinkProps) => (
  <span className="flex flex-wrap items-center gap-x-4">
    <bdi>{phone}</bdi>
    <CallLink phone={phone}>
      <Call />
    </CallLink>
    <MessageLink phone={phone} text={text} />
  </span>
);

/** Beside somebody's name. */
export const ReachIcons = ({ phone, name, text }: LinkProps & { name: string }) => (
  <p className="no-print flex items-center gap-2">
    <a href={`tel:${dialled(phone)}`} className="round">
      <Icon name="call" />
      <span className="sr-only">
        <Trans>Call {name}</Trans>
      </span>
    </a>
    <a href={smsLink(phone, text)} className="round">
      <Icon name="text" />
      <span className="sr-only">
        <Trans>Text {name}</Trans>
      </span>
    </a>
    <WhatsApp {...{ phone, name, text }} />
  </p>
);

/** Beside somebody in a list, whose line says the number. */
export const CallOrMessageLinks = ({ phone, name, text }: LinkProps) => (
  <>
    <TextAction to={`tel:${dialled(phone)}`} icon="call">
      <Call name={name} />
    </TextAction>
    <TextAction to={smsLink(phone, text)} icon="text">
      <Message name={name} />
    </TextAction>
    <WhatsApp {...{ phone, name, text }} />
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
