import { Trans } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { ClientAddressField } from '../../components/forms/ClientAddressField';
import { PostForm, Submit } from '../../components/forms/Form';
import { PeopleSelect } from '../../components/forms/PeopleSelect';
import { PhoneField } from '../../components/forms/PhoneField';
import { QuestionFields } from '../../components/forms/QuestionField';
import { ServiceField } from '../../components/forms/ServiceField';
import { AppointmentFacts } from '../../components/times/AppointmentFacts';
import { UntilWhen } from '../../components/times/Deadline';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Refusal } from '../../domain/errors';
import { phoneAskedAt } from '../../domain/services/where';
import type { Template } from '../../domain/templates/questions';
import { detailsPath } from './paths';

type Props = {
  appointment: Appointment;
  service: string | null;
  canChange: boolean;
  template: Template;
  refused?: Refusal;
};

export function Questions({ appointment, service, canChange, template, refused }: Props) {
  return (
    <PostForm className="grid max-w-2xl gap-6">
      <AppointmentFacts appointment={appointment} hasDetails={false} />
      <ServiceField {...appointment} chosen={service} />
      <input type="hidden" name="template" value={template.id} />
      <QuestionFields questions={template.questions} refused={refused} />
      <PeopleSelect {...appointment} refused={refused} />
      <PhoneField
        asked={phoneAskedAt(appointment.where, appointment.askPhone)}
        provider={appointment.providerName}
        refused={refused}
      />
      <ClientAddressField where={appointment.where} provider={appointment.providerName} refused={refused} />
      <UntilWhen {...appointment} canChange={canChange} />
      <div className="flex flex-wrap gap-3">
        <Submit>
          <Trans context="verb">Book</Trans>
        </Submit>
        <ButtonLink quiet to={detailsPath(appointment.id, service)}>
          <Trans>Back</Trans>
        </ButtonLink>
      </div>
    </PostForm>
  );
}
