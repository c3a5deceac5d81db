import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { mapLink } from '../domain/parties/parties';
import { ButtonLink } from './Button';
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

export const CallLink = ({ phone }: { phone: string }) => (
  <a href={`tel:${dialled(phone)}`} className={link}>
    <bdi>{phone}</bdi>
  </a>
);

export const CallButton = ({ phone }: { phone: string }) => (
  <ButtonLink quiet to={`tel:${dialled(phone)}`}>
    <Trans>Call</Trans>
  </ButtonLink>
);

/** `name` tells the links of a list apart for people with a screen reader; `text` is what a message begins with. */
type Reached = { phone: string; name: string; text?: string | null };

/** `icons` stand beside a name, `acts` among the actions of a line, `words` in a sentence or table. */
type Look = 'icons' | 'acts' | 'words';

/** The links to call, text or message somebody. Nothing is asked of WhatsApp before the last is pressed. */
export function ReachLinks({ phone, name, text, as = 'words' }: Reached & { as?: Look }) {
  const message = text ?? undefined;
  const whatsApp = whatsAppLink(phone, message);
  return (
    <>
      <ReachLink to={`tel:${dialled(phone)}`} as={as} icon="call">
        {as === 'icons' ? (
          <Trans>Call {name}</Trans>
        ) : (
          <Trans>
            Call<span className="sr-only"> {name}</span>
          </Trans>
        )}
      </ReachLink>{' '}
      <ReachLink to={smsLink(phone, message)} as={as} icon="text">
        {as === 'icons' ? (
          <Trans>Text {name}</Trans>
        ) : (
          <Trans context="verb">
            Text<span className="sr-only"> {name}</span>
          </Trans>
        )}
      </ReachLink>
      {whatsApp && (
        <>
          {' '}
          <ReachLink to={whatsApp} as={as}>
            WhatsApp
            <span className="sr-only">
              {' '}
              <bdi>{name}</bdi>
            </span>
          </ReachLink>
        </>
      )}
    </>
  );
}

function ReachLink({ to, as, icon, children }: { to: string; as: Look; icon?: string; children: ReactNode }) {
  const isRound = as === 'icons' && icon !== undefined;
  return (
    <a href={to} rel="noreferrer" className={isRound ? 'round' : as === 'acts' ? 'act' : link}>
      {icon && as !== 'words' && <Icon name={icon} />}
      {isRound ? <span className="sr-only">{children}</span> : children}
    </a>
  );
}

export const ReachIcons = (reached: Reached) => (
  <p className="no-print flex items-center gap-2">
    <ReachLinks {...reached} as="icons" />
  </p>
);

export const NumberAndLinks = (reached: Reached) => (
  <span className="flex flex-wrap items-center gap-x-4">
    <bdi>{reached.phone}</bdi>
    <ReachLinks {...reached} />
  </span>
);

/** A phone number in a table. On paper the links disappear and the number stays. */
export const NumberInTable = (reached: Reached) => (
  <small>
    <bdi className="whitespace-nowrap">{reached.phone}</bdi>{' '}
    <span className="no-print space-x-2">
      <ReachLinks {...reached} />
    </span>
  </small>
);
