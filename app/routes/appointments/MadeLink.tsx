import { Trans, useLingui } from '@lingui/react/macro';
import { Notice } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { PrintButton } from '../../components/PrintButton';
import { QrCode, type QrSquares } from '../../components/QrCode';
import { NumberAndLinks } from '../../components/Reach';
import { SpanTimes, WhenLine } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Appointment } from '../../domain/bookings/appointments';
import { isMailed, type Way } from '../../domain/messages/ways';
import { providerInShop } from '../../domain/shop/in-shop';
import { dateWords } from '../../domain/time/clock';

type Props = {
  link: string;
  qr: QrSquares;
  /** The link's code, to write on paper; null if it was used or there is none. */
  code: string | null;
  /** The address where people type the code. */
  at: string;
  appointment: Appointment;
  phone: string | null;
  /** What a text to them begins with, with the link; null without a number. */
  text: string | null;
  way: Way;
  /** True if the link replaces an older one. */
  isRenewed: boolean;
};

/**
 * A link that was just made, to pass on: as text, as a QR code, and as a code for a slip of paper. It is shown for ten
 * minutes, and never again. On paper the page is just the slip.
 */
export function MadeLink({ link, qr, code, at, appointment, phone, text, way, isRenewed }: Props) {
  const { t } = useLingui();
  const words = useWords();
  const { bookerName, bookerEmail, date, service } = appointment;
  const day = words(dateWords(date).full);
  const providerName = words(providerInShop(appointment, true));
  return (
    <div className="slip">
      <Notice
        tone="good"
        title={
          isRenewed ? (
            <Trans>
              A new link for <bdi>{bookerName}</bdi>
            </Trans>
          ) : (
            <Trans>
              <bdi>{bookerName}</bdi> is booked
            </Trans>
          )
        }
      >
        {!isRenewed && (
          <p className="no-print font-semibold">
            {service && `${service.name}: `}
            <WhenLine {...appointment} />
          </p>
        )}
        <p className="no-print">
          {isRenewed ? '' : `${t`Below is a link for them.`} `}
          {phone ? (
            <Trans>With it they see, change or cancel the appointment, without a login.</Trans>
          ) : (
            <Trans>
              Pass it on now: it is not shown again. With it they see, change or cancel the appointment, without a
              login.
            </Trans>
          )}
        </p>
        {bookerEmail && (
          <p className="no-print break-words">
            {isRenewed
              ? `It is not mailed to ${bookerEmail}.`
              : isMailed(way)
                ? t`It goes by mail to ${bookerEmail} as well.`
                : t`No mail has gone to ${bookerEmail}: what holds it back is said below.`}
          </p>
        )}
        <p className="paper-only">
          <Trans>
            Your appointment with <bdi>{providerName}</bdi>: {day}, <SpanTimes {...appointment} />
          </Trans>
        </p>
        <div className="no-print">
          <CopyField label={t`Their link`} value={link} />
          {phone && <NumberAndLinks phone={phone} name={bookerName ?? ''} text={text} />}
        </div>
        <div className="flex flex-wrap items-center gap-6">
          <QrCode {...qr} />
          <div className="grid min-w-0 flex-1 basis-56 gap-2">
            {code && (
              <>
                <p className="text-sm text-muted">
                  <Trans>
                    On paper: this code, typed once at <span className="break-words">{at}</span>, opens the link.
                  </Trans>
                </p>
                <p id="code" className="text-2xl font-semibold tracking-widest">
                  {code}
                </p>
              </>
            )}
            <p className="no-print text-sm text-muted">{t`Printed, this page is a slip of paper with only that on it.`}</p>
            <div>
              <PrintButton quiet>{t`Print the slip`}</PrintButton>
            </div>
          </div>
        </div>
      </Notice>
    </div>
  );
}
