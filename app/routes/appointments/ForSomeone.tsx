import { useLingui } from '@lingui/react/macro';
import type { ComponentProps } from 'react';
import { Card } from '../../components/Card';
import { ClientAddressField } from '../../components/forms/ClientAddressField';
import { TextArea, TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { PeopleSelect } from '../../components/forms/PeopleSelect';
import { QuestionFields } from '../../components/forms/QuestionField';
import { useBookPaths } from '../../components/frame/book-paths';
import { WhatFor } from '../../components/times/WhatFor';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { Service } from '../../domain/services/services';
import type { Question } from '../../domain/templates/questions';
import { minute } from '../../domain/time/clock';
import { KnownPeople } from './KnownPeople';

type Props = {
  appointment: Appointment;
  known: Pick<ComponentProps<typeof KnownPeople>, 'q' | 'found'>;
  services: Service[];
  serviceId: string | null;
  questions: Question[];
  refused?: Refusal;
};

export const ForSomeone = ({ appointment, known, questions, services, serviceId, refused }: Props) => {
  const { t } = useLingui();
  const desk = useBookPaths();
  const where = services.find(({ id }) => id === serviceId)?.where ?? appointment.where;
  return (
    <Card title={t`Book for someone`} id="for-someone">
      <p className="text-muted">{t`For whoever walks in or calls. You get a link for them, to see, change or cancel it.`}</p>
      {appointment.service === null && services.length > 0 && (
        <WhatFor
          services={services}
          chosen={serviceId}
          asItIs={(appointment.endsAt - appointment.startsAt) / minute}
          to={(service) => `${desk.providerDetails(appointment.id, { service })}#for-someone`}
        />
      )}
      <KnownPeople {...known} service={serviceId} where={where} />
      <PostForm className="grid max-w-2xl gap-5">
        <input type="hidden" name="intent" value="book-for" />
        {serviceId && <input type="hidden" name="service" value={serviceId} />}
        <PeopleSelect {...appointment} refused={refused} />
        <TextField name="displayName" label={t`Name`} required maxLength={limits.displayName} refused={refused} />
        <TextField name="email" label={t`E-mail`} type="email" isOptional maxLength={limits.email} refused={refused} />
        <TextField name="phone" label={t`Phone`} type="tel" isOptional maxLength={limits.phone.max} refused={refused} />
        <ClientAddressField where={where} refused={refused} />
        {questions.length > 0 && (
          <>
            <p className="text-muted">{t`If you leave all questions empty, they can answer at their link.`}</p>
            <QuestionFields questions={questions} refused={refused} />
          </>
        )}
        <TextArea
          name="note"
          label={t`Private note`}
          isOptional
          maxLength={limits.privateNote}
          help={t`The client never sees it. In a shop, its desk does.`}
          refused={refused}
        />
        <div>
          <Submit>{t`Book for them`}</Submit>
        </div>
      </PostForm>
    </Card>
  );
};
