import type { ComponentProps } from 'react';
import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { TextArea, TextField } from '../../components/Field';
import { PostForm, Submit } from '../../components/Form';
import { PeopleSelect } from '../../components/PeopleSelect';
import { QuestionFields } from '../../components/QuestionField';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { Service } from '../../domain/services/services';
import { answerField, type Question } from '../../domain/templates/questions';
import { lengthWords, minute } from '../../domain/time/clock';
import * as paths from '../../paths';
import { KnownPeople } from './KnownPeople';

/** Books an open slot for whoever walks in or calls, with the answers that they give. */
type Props = {
  appointment: Appointment;
  known: Pick<ComponentProps<typeof KnownPeople>, 'q' | 'found'>;
  /** The services for free time, and the chosen one. */
  services: Service[];
  serviceId: string | null;
  questions: Question[];
  refused?: Refusal;
};

export const ForSomeone = ({ appointment, known, questions, services, serviceId, refused }: Props) => (
  <Card title="Book for someone" id="for-someone">
    <p className="text-muted">For whoever walks in or calls. You get a link for them, to see, change or cancel it.</p>
    {appointment.service === null && services.length > 0 && (
      <WhatFor appointment={appointment} services={services} chosen={serviceId} />
    )}
    <KnownPeople {...known} service={serviceId} />
    <PostForm className="grid max-w-2xl gap-5">
      <input type="hidden" name="intent" value="book-for" />
      {serviceId && <input type="hidden" name="service" value={serviceId} />}
      <PeopleSelect {...appointment} refused={refused} />
      <TextField name="displayName" label="Name" required maxLength={limits.displayName} refused={refused} />
      <TextField name="email" label="E-mail" type="email" isOptional maxLength={limits.email} refused={refused} />
      <TextField name="phone" label="Phone" type="tel" isOptional maxLength={limits.phone.max} refused={refused} />
      {questions.length > 0 && (
        <>
          <p className="text-muted">If you leave all questions empty, they can answer at their link.</p>
          <QuestionFields
            questions={questions}
            valuesOf={(question) => refused?.typed[answerField(question)] ?? []}
            refused={refused}
          />
        </>
      )}
      <TextArea
        name="note"
        label="Private note"
        isOptional
        maxLength={limits.privateNote}
        help="For you alone."
        refused={refused}
      />
      <div>
        <Submit>Book for them</Submit>
      </div>
    </PostForm>
  </Card>
);

type WhatForProps = { appointment: Appointment; services: Service[]; chosen: string | null };

/**
 * Chooses what begins at this time: the slot as it is, or a service, which takes as much of the time after it as it needs.
 */
function WhatFor({ appointment: { id, startsAt, endsAt }, services, chosen }: WhatForProps) {
  const asItIs = { id: null, name: 'As it is', minutes: (endsAt - startsAt) / minute };
  return (
    <nav aria-label="What for" className="flex flex-wrap gap-x-6 gap-y-2">
      {[asItIs, ...services].map((one) => {
        const words = `${one.name}, ${lengthWords(one.minutes)}`;
        return one.id === chosen ? (
          <strong key={one.id} aria-current="true">
            {words}
          </strong>
        ) : (
          <TextLink key={one.id} to={`${paths.providerDetails(id, { service: one.id })}#for-someone`}>
            {words}
          </TextLink>
        );
      })}
    </nav>
  );
}
