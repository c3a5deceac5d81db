import { ButtonLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { PostForm, Submit } from '../../components/Form';
import { Instead, KeptFields } from '../../components/Instead';
import { Page } from '../../components/Page';
import type { Appointment } from '../../domain/appointments/appointments';

type Props = {
  message: string;
  provider: string;
  providerName: string;
  /** The free slots nearest to the wanted one, with the same questions. */
  nearest: Appointment[];
  /** The fields of the form that came too late. */
  typed?: Record<string, string[]>;
};

/** Says that someone was faster or the time has passed, and offers other slots, one tap each. */
export function JustGone({ message, provider, providerName, nearest, typed = {} }: Props) {
  const kept = Object.entries(typed).filter(([name]) => name === 'template' || name.startsWith('answer-'));
  return (
    <Page title="Just gone" subtitle={providerName}>
      <Notice tone="warn" title={message}>
        <p>{wordsFor(nearest, kept.length)}</p>
      </Notice>
      {nearest.length > 0 && (
        <Card title={providerName}>
          <ul className="grid">
            {nearest.map((slot) => (
              <Instead key={slot.id} slot={slot}>
                <BookInstead slot={slot} kept={kept} />
              </Instead>
            ))}
          </ul>
        </Card>
      )}
      <div>
        <ButtonLink quiet to={`/view?provider=${provider}`}>
          Look for another time
        </ButtonLink>
      </div>
    </Page>
  );
}

function wordsFor(nearest: Appointment[], kept: number): string {
  if (nearest.length === 0) return 'Nothing else is free at the moment.';
  if (isAsking(nearest) && kept === 0) return 'These are the nearest free times.';
  return `These are the nearest free times. One tap books one${kept > 1 ? ', with the answers you gave' : ''}.`;
}

const isAsking = ([slot]: Appointment[]) => Boolean(slot?.templateId);

/** One tap books the slot with the answers already typed; without answers it leads to the questions. */
function BookInstead({ slot, kept }: { slot: Appointment; kept: [string, string[]][] }) {
  if (isAsking([slot]) && kept.length === 0) {
    return (
      <ButtonLink to={`/details/${slot.id}?step=questions`} aria-describedby={slot.id}>
        Book
      </ButtonLink>
    );
  }
  return (
    <PostForm action={`/details/${slot.id}`}>
      <KeptFields kept={kept} />
      <Submit aria-describedby={slot.id}>Book</Submit>
    </PostForm>
  );
}
