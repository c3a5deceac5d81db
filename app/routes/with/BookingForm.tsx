import { Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink, TextLink } from '../../components/Button';
import { ClientAddressField } from '../../components/forms/ClientAddressField';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm, Submit } from '../../components/forms/Form';
import { FormParts } from '../../components/forms/FormParts';
import { EmailField, NameField } from '../../components/forms/GuestFields';
import { isAskedHowMany, PeopleSelect } from '../../components/forms/PeopleSelect';
import { PhoneField } from '../../components/forms/PhoneField';
import { QuestionFields } from '../../components/forms/QuestionField';
import { partsOfFrame } from '../../components/forms/question-parts';
import { RobotGuard } from '../../components/forms/RobotGuard';
import { ServiceField } from '../../components/forms/ServiceField';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { NotInFrame, useIsFramed } from '../../components/frame/shell';
import { AllDetails, AppointmentFacts } from '../../components/times/AppointmentFacts';
import { UntilWhen } from '../../components/times/Deadline';
import { ReachedLimit } from '../../components/times/ReachedLimit';
import { askedWords, ServicesAt } from '../../components/times/ServicesAt';
import { useWords } from '../../components/words';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Refusal } from '../../domain/errors';
import type { HowAsked, OpenTo } from '../../domain/profile/rules';
import type { Service } from '../../domain/services/services';
import { needsAt, phoneAskedAt } from '../../domain/services/where';
import type { Template } from '../../domain/templates/questions';
import type { Words } from '../../domain/words/words';
import * as paths from '../../paths';
import { anyonePath, bookingFormPath, seriesWithAnyonePath, withPath } from './paths';

/** The reader of the form; null is a stranger. */
export type Reader = {
  displayName: string;
  isProvider: boolean;
  isOwn: boolean;
  isGuest: boolean;
  needsEmail: boolean;
  /** Why they can't book more with this provider; null if they can. */
  limit: Words | null;
} | null;

type Props = {
  appointment: Appointment;
  /** The services to choose from; empty once one is chosen, or where none can be booked then. */
  services: Service[];
  /** The service to book; null for the time as it is. */
  service: string | null;
  /** Whether whoever books it could still cancel or move it. */
  canChange: boolean;
  openTo: OpenTo;
  askEmail: HowAsked;
  askPhone: HowAsked;
  template: Template | null;
  reader: Reader;
  token: string;
  /** It is of whoever is free in a shop then. */
  isShopTime?: boolean;
  refused?: Refusal;
};

/** One time of a provider, and the one form that books it. */
export function BookingForm(props: Props) {
  const { appointment, services, service, canChange, openTo, template, reader, token, refused } = props;
  const { id, provider, providerName, startsAt } = appointment;
  const { t } = useLingui();
  const words = useWords();
  const path = props.isShopTime ? anyonePath(provider, startsAt, service) : bookingFormPath(provider, id, service);
  const isFramed = useIsFramed();
  const needsAccount = openTo === 'accounts' && (!reader || reader.isGuest);
  if (services.length > 0 && !reader?.isOwn) {
    return (
      <Page title={words(askedWords)} subtitle={<bdi>{providerName}</bdi>} corner={<HomeLink />}>
        <Sheet>
          <ErrorSummary refused={refused} />
          <ServicesAt {...{ appointment, services }} to={(chosen) => bookingFormPath(provider, id, chosen)} />
        </Sheet>
      </Page>
    );
  }
  const untilWhen = <UntilWhen {...appointment} canChange={canChange} />;
  const parts = [
    { fields: ['displayName', 'email', 'phone'], content: <WhoBooks {...props} to={path} /> },
    ...(needsAt(appointment.where).address || isAskedHowMany(appointment)
      ? [{ fields: ['address', 'people'], content: <WhereAndHowMany {...props} /> }]
      : []),
    ...(isFramed ? partsOfFrame(template?.questions ?? []) : template ? [template.questions] : []).map((questions) => ({
      fields: questions.map(({ id }) => id),
      content: <QuestionFields questions={questions} refused={refused} />,
    })),
  ];
  return (
    <Page title={t`Book a time`} subtitle={<bdi>{providerName}</bdi>} corner={<HomeLink />}>
      <Sheet>
        <ErrorSummary refused={refused} />
        <div className="grid gap-4 text-start">
          <AppointmentFacts appointment={appointment} hasDetails={false} />
          {props.isShopTime && (
            <p>
              <Trans>With whoever is free then.</Trans>
            </p>
          )}
          {!isFramed && untilWhen}
        </div>
        {reader?.isOwn ? (
          <Own id={id} />
        ) : reader?.isProvider || needsAccount ? (
          <LogInToBook to={path} name={needsAccount ? providerName : null} />
        ) : (
          <PostForm className="grid gap-5 text-start">
            <RobotGuard token={token} />
            <ServiceField {...appointment} chosen={service} />
            {template && <input type="hidden" name="template" value={template.id} />}
            <FormParts parts={parts} refused={refused}>
              {isFramed && untilWhen}
              <div className="flex flex-wrap items-center gap-3">
                <Submit>
                  <Trans context="verb">Book</Trans>
                </Submit>
                <ButtonLink quiet to={withPath(provider, service)}>
                  <Trans>Other times</Trans>
                </ButtonLink>
              </div>
            </FormParts>
            {props.isShopTime && reader && (
              <p>
                <TextLink to={seriesWithAnyonePath(provider, startsAt, service)}>
                  <Trans>Book it every week or every few weeks, with the same person</Trans>
                </TextLink>
              </p>
            )}
          </PostForm>
        )}
        <div className="text-start empty:hidden">
          <AllDetails appointment={appointment} />
        </div>
      </Sheet>
    </Page>
  );
}

function WhoBooks({ appointment, askEmail, askPhone, reader, refused, to }: Props & { to: string }) {
  const { t } = useLingui();
  const words = useWords();
  const { providerName } = appointment;
  const readerName = reader?.displayName;
  return (
    <>
      {reader ? (
        <>
          <ReachedLimit words={reader.limit && words(reader.limit)} />
          <p>
            <Trans>
              You book as <strong>{readerName}</strong>.
            </Trans>
          </p>
        </>
      ) : (
        <>
          <NotInFrame>
            <p className="text-muted">
              <Trans>
                Have an account? <TextLink to={loginTo(to)}>Log in</TextLink>
              </Trans>
            </p>
          </NotInFrame>
          <NameField refused={refused} />
        </>
      )}
      {(!reader || reader.needsEmail) && (
        <EmailField asked={askEmail} help={t`For ${providerName} only.`} refused={refused} />
      )}
      <PhoneField asked={phoneAskedAt(appointment.where, askPhone)} provider={providerName} refused={refused} />
    </>
  );
}

const WhereAndHowMany = ({ appointment, refused }: Props) => (
  <>
    <ClientAddressField where={appointment.where} provider={appointment.providerName} refused={refused} />
    <PeopleSelect {...appointment} refused={refused} />
  </>
);

const loginTo = (path: string) => paths.login({ to: path });

/** A provider's own time, which they can't book. */
const Own = ({ id }: { id: string }) => (
  <div className="grid justify-items-center gap-4">
    <p className="text-muted">
      <Trans>This is your own time, as people see it who have your link.</Trans>
    </p>
    <ButtonLink to={paths.providerDetails(id)}>
      <Trans>Look at it</Trans>
    </ButtonLink>
  </div>
);

/** The way to an account, back to this form. @param name whose times are for accounts only; null for a provider's reader */
const LogInToBook = ({ to, name }: { to: string; name: string | null }) => (
  <div className="grid justify-items-center gap-4">
    <p>
      {name ? (
        <Trans>
          <bdi>{name}</bdi> takes bookings of people with an account only.
        </Trans>
      ) : (
        <Trans>You are logged in as a provider, and providers can’t book. Log in as a client to book this time.</Trans>
      )}
    </p>
    <ButtonLink to={loginTo(to)}>
      <Trans>Log in to book</Trans>
    </ButtonLink>
    <p>
      <Trans>
        New here? <TextLink to={paths.register({ to })}>Register</TextLink>
      </Trans>
    </p>
  </div>
);
