import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Refusal } from '../../domain/errors';
import type { Ways } from '../../domain/messages/ways';
import type { Template } from '../../domain/templates/questions';
import { ButtonLink } from '../Button';
import { Card, type Fact, Facts } from '../Card';
import { PostForm, Submit } from '../forms/Form';
import { QuestionFields } from '../forms/QuestionField';
import { HowTold } from '../HowTold';
import { Moment, SpanTimes } from './Time';

type Props = {
  other: Appointment;
  /** The colleague with whom it will be, in place of its provider. */
  withWhom: { displayName: string } | null;
  /** The questions of the new time, unless the booking has answered the same ones. */
  template?: Template;
  refused?: Refusal;
  isProvider: boolean;
  bookerName: string | null;
  phone: string | null;
  text: string | null;
  here: string;
  ways: Pick<Ways, 'toBooker' | 'toProvider'>;
  /** Fields above the button. */
  children?: ReactNode;
};

export function ConfirmMove({
  other,
  withWhom,
  template,
  refused,
  isProvider,
  bookerName,
  phone,
  text,
  here,
  ways,
  children,
}: Props) {
  const { t } = useLingui();
  return (
    <Card title={<Trans>As it will be</Trans>}>
      <Facts
        facts={[
          ...(withWhom ? [[t`With`, <bdi key="whom">{withWhom.displayName}</bdi>] as Fact] : []),
          [t`When`, <Moment key="when" at={other.startsAt} zone={other.timeZone} isFull />],
          [t`From and to`, <SpanTimes key="times" {...other} />],
        ]}
      />
      <PostForm className="grid max-w-2xl gap-5">
        {template && (
          <>
            <input type="hidden" name="template" value={template.id} />
            <QuestionFields questions={template.questions} refused={refused} />
          </>
        )}
        {children}
        <p className="text-muted">
          {isProvider ? (
            <HowTold name={bookerName ?? ''} way={ways.toBooker} phone={phone} text={text} withReason />
          ) : (
            <>
              <Trans>The time that you have now is free for others again at once.</Trans>{' '}
              <HowTold name={other.providerName} way={ways.toProvider} />
            </>
          )}
        </p>
        <div className="flex flex-wrap gap-3">
          <Submit>
            <Trans>Move it</Trans>
          </Submit>
          <ButtonLink quiet to={here}>
            <Trans>Other times</Trans>
          </ButtonLink>
        </div>
      </PostForm>
    </Card>
  );
}
