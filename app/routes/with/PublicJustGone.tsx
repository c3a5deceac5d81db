import { RobotGuard } from '../../components/forms/RobotGuard';
import { HomeLink } from '../../components/frame/Page';
import { partField } from '../../components/frame/Parts';
import { JustGonePage } from '../../components/times/JustGonePage';
import { adviceToTakeNearest, NearestTime } from '../../components/times/NearestTimes';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Words } from '../../domain/words/words';
import { anyonePath, bookingFormPath, waitPath, withPath } from './paths';

/** A free time, with the token of its form; null if nothing was typed yet. */
type FreeTime = { slot: Appointment; token: string | null };

type Props = {
  message: Words;
  provider: string;
  providerName: string;
  nearest: FreeTime[];
  mayComeFree: boolean;
  /** The time that is gone. */
  id: string;
  /** The wanted service; null for the time as it is. */
  service: string | null;
  /** The times are of whoever is free in a shop then. */
  isShopTime?: boolean;
  /** The fields of the form that came too late. */
  typed?: Record<string, string[]>;
};

/** Fields of the page, not of the person. */
const ofPage = ['once', 'shown', 'website', partField];

/** A time of a public page is gone. One tap books another, with all that was typed. */
export function PublicJustGone({ typed = {}, isShopTime = false, ...gone }: Props) {
  const { message, provider, providerName, nearest, service } = gone;
  const to = ({ id, startsAt }: Appointment) =>
    isShopTime ? anyonePath(provider, startsAt, service) : bookingFormPath(provider, id, service);
  const typedFields = Object.entries(typed).filter(([name]) => !ofPage.includes(name));
  return (
    <JustGonePage
      {...{ message, providerName }}
      advice={adviceToTakeNearest(nearest)}
      waitTo={gone.mayComeFree ? waitPath(provider, { slot: gone.id, service }) : null}
      othersTo={withPath(provider, service)}
      corner={<HomeLink />}
    >
      {nearest.map(({ slot, token }) => (
        <NearestTime key={slot.id} slot={slot} to={to(slot)} typed={token === null ? null : typedFields}>
          {token && <RobotGuard token={token} />}
        </NearestTime>
      ))}
    </JustGonePage>
  );
}
