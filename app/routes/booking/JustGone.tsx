import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { PostForm, Submit } from '../../components/forms/Form';
import { Page } from '../../components/frame/Page';
import { NearestTime, TypedFields } from '../../components/times/NearestTimes';
import { useWords } from '../../components/words';
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

/** Says that somebody was faster or the time has passed, and offers other times, one tap each. */
export function JustGone({ message, provider, providerName, nearest, mayComeFree, id, service, typed = {} }: Props) {
  const { t } = useLingui();
  const words = useWords();
  const typedFields = Object.entries(typed).filter(([name]) => name === 'people' || isAnswer(name));
  const hasAnswers = typedFields.some(([name]) => isAnswer(name));
  return (
    <Page title={t`Just gone`} subtitle={providerName}>
      <Notice tone="warn" title={words(message)}>
        <p>{words(adviceFor(nearest, typedFields.filter(([name]) => isAnswer(name)).length))}</p>
      </Notice>
      {nearest.length > 0 && (
        <Card title={providerName}>
          <ul className="grid">
            {nearest.map((slot) => (
              <NearestTime key={slot.id} slot={slot}>
                <BookInstead {...{ slot, typedFields, service, hasAnswers }} />
              </NearestTime>
            ))}
          </ul>
        </Card>
      )}
      {mayComeFree && (
        <p>
          <TextLink to={waitPath(provider, { slot: id, service })}>
            <Trans>Tell me if this time comes free</Trans>
          </TextLink>
        </p>
      )}
      <div>
        <ButtonLink quiet to={providerPath(provider, service)}>
          <Trans>Look for another time</Trans>
        </ButtonLink>
      </div>
    </Page>
  );
}

function adviceFor(nearest: Appointment[], answerFields: number): Words {
  if (nearest.length === 0) return msg`No other time is free for this at the moment.`;
  if (isAsking(nearest) && answerFields === 0) return msg`These are the nearest free times.`;
  return answerFields > 1
    ? msg`These are the nearest free times. One tap books one, with the answers you gave.`
    : msg`These are the nearest free times. One tap books one.`;
}

const isAsking = ([slot]: Appointment[]) => Boolean(slot?.templateId);

type InsteadProps = {
  slot: Appointment;
  typedFields: [string, string[]][];
  service: string | null;
  hasAnswers: boolean;
};

// Books the other time with one tap, with the answers that the reader has typed. Without answers it leads to the
// questions.
function BookInstead({ slot, typedFields, service, hasAnswers }: InsteadProps) {
  if (isAsking([slot]) && !hasAnswers) {
    return (
      <ButtonLink to={detailsPath(slot.id, service, 'questions')} aria-describedby={slot.id}>
        <Trans context="verb">Book</Trans>
      </ButtonLink>
    );
  }
  return (
    <PostForm action={detailsPath(slot.id, service)}>
      {service && <input type="hidden" name="service" value={service} />}
      <TypedFields typed={typedFields} />
      <Submit aria-describedby={slot.id}>
        <Trans context="verb">Book</Trans>
      </Submit>
    </PostForm>
  );
}
