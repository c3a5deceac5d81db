import { ButtonLink } from '../../components/Button';
import { Card, Facts } from '../../components/Card';
import { TextArea } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { OfferAgain } from '../../components/forms/OfferAgain';
import { QuestionFields } from '../../components/forms/QuestionField';
import { HowTold } from '../../components/HowTold';
import { Moment, SpanTimes } from '../../components/times/Time';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { Ways } from '../../domain/messages/ways';
import { answerField, type Template } from '../../domain/templates/questions';

type Props = {
  other: Appointment;
  /** The questions of the new time, unless the booking has answered the same ones. */
  template?: Template;
  refused?: Refusal;
  isProvider: boolean;
  /** True if the provider's hours include the time that becomes free. */
  isTimeWanted: boolean;
  bookerName: string | null;
  phone: string | null;
  here: string;
  ways: Pick<Ways, 'toBooker' | 'toProvider'>;
};

export function ConfirmMove({
  other,
  template,
  refused,
  isProvider,
  isTimeWanted,
  bookerName,
  phone,
  here,
  ways,
}: Props) {
  return (
    <Card title="As it will be">
      <Facts
        facts={[
          ['When', <Moment key="when" at={other.startsAt} zone={other.timeZone} isFull />],
          ['From and to', <SpanTimes key="times" {...other} />],
        ]}
      />
      <PostForm className="grid max-w-2xl gap-5">
        {template && (
          <>
            <input type="hidden" name="template" value={template.id} />
            <QuestionFields
              questions={template.questions}
              valuesOf={(question) => refused?.typed[answerField(question)] ?? []}
              refused={refused}
            />
          </>
        )}
        {isProvider && <TextArea name="reason" label="Reason" maxLength={limits.reason} refused={refused} isOptional />}
        {isProvider && <OfferAgain isOn={isTimeWanted} refused={refused} />}
        <p className="text-muted">
          {isProvider ? (
            <HowTold name={bookerName ?? ''} way={ways.toBooker} phone={phone} withReason />
          ) : (
            <>
              The time that you have now is free for others again at once.{' '}
              <HowTold name={other.providerName} way={ways.toProvider} />
            </>
          )}
        </p>
        <div className="flex flex-wrap gap-3">
          <Submit>Move it</Submit>
          <ButtonLink quiet to={here}>
            Other times
          </ButtonLink>
        </div>
      </PostForm>
    </Card>
  );
}
