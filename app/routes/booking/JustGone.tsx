import { msg } from '@lingui/core/macro';
import { JustGonePage } from '../../components/times/JustGonePage';
import { adviceToTakeNearest, NearestTime } from '../../components/times/NearestTimes';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Words } from '../../domain/words/words';
import { waitPath } from '../with/paths';
import { detailsPath, providerPath } from './paths';

type Props = {
  message: Words;
  provider: string;
  providerName: string;
  /** The free slots nearest to the wanted one, with the same questions. */
  nearest: Appointment[];
  mayComeFree: boolean;
  /** The id of the time that is taken or past. */
  id: string;
  /** The wanted service; null for the time without one. */
  service: string | null;
  /** The fields of the form that came too late. */
  typed?: Record<string, string[]>;
};

const isAnswer = (name: string) => name === 'template' || name.startsWith('answer-');

/** A time that an account wanted is gone. One tap books another, with the answers that were given; without any it leads to the questions. */
export function JustGone({ message, provider, providerName, nearest, mayComeFree, id, service, typed = {} }: Props) {
  const typedFields = Object.entries(typed).filter(([name]) => name === 'people' || isAnswer(name));
  const answers = typedFields.filter(([name]) => isAnswer(name));
  const isAsked = Boolean(nearest[0]?.templateId) && answers.length === 0;
  return (
    <JustGonePage
      {...{ message, providerName }}
      advice={isAsked || nearest.length === 0 ? adviceToTakeNearest(nearest) : adviceToTap(answers)}
      waitTo={mayComeFree ? waitPath(provider, { slot: id, service }) : null}
      othersTo={providerPath(provider, service)}
    >
      {nearest.map((slot) =>
        isAsked ? (
          <NearestTime key={slot.id} slot={slot} to={detailsPath(slot.id, service, 'questions')} typed={null} />
        ) : (
          <NearestTime key={slot.id} slot={slot} to={detailsPath(slot.id, service)} typed={typedFields}>
            {service && <input type="hidden" name="service" value={service} />}
          </NearestTime>
        ),
      )}
    </JustGonePage>
  );
}

const adviceToTap = (answers: unknown[]): Words =>
  answers.length > 1
    ? msg`These are the nearest free times. One tap books one, with the answers you gave.`
    : msg`These are the nearest free times. One tap books one.`;
