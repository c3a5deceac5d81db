import { Card, Empty } from '../../components/Card';
import { CallOrMessage } from '../../components/Reach';
import type { Appointment } from '../../domain/bookings/appointments';
import type { ClassMember } from '../../domain/messages/class-members.server';
import { isUntold, reasonWords } from '../../domain/messages/ways';
import * as paths from '../../paths';

const andMore = (people: number) => (people > 1 ? ` and ${people - 1} more` : '');

type Props = { appointment: Pick<Appointment, 'seats'>; members: ClassMember[] };

export const ClassPeople = ({ appointment: { seats }, members }: Props) => (
  <Card
    title="Who comes"
    aside={
      <span className="text-sm text-muted">{`${members.reduce((sum, { people }) => sum + people, 0)} of ${seats} places`}</span>
    }
  >
    {members.length === 0 && <Empty>Nobody yet</Empty>}
    <ul className="grid">
      {members.map(({ id, name, people, phone, way }) => (
        <li key={id} className="border-b border-dashed border-rule py-2 last:border-0">
          <a href={paths.providerDetails(id)} className="font-semibold break-words underline-offset-4 hover:underline">
            <bdi>{name}</bdi>
            {andMore(people)}
          </a>
          {isUntold(way) && (
            <span className="block text-sm text-muted">{way === 'call' ? 'No e-mail' : 'Gets no mail'}</span>
          )}
          {phone && <CallOrMessage phone={phone} />}
        </li>
      ))}
    </ul>
  </Card>
);

export function HowMembersAreTold({ members }: { members: Pick<ClassMember, 'name' | 'phone' | 'way'>[] }) {
  const called = members
    .filter(({ way }) => isUntold(way))
    .map(({ name, phone }) => (phone ? `${name} (${phone})` : name));
  const toldCount = members.length - called.length;
  const some = toldCount === 1 ? 'One of them is' : `${toldCount} of them are`;
  const all = members.length === 1 ? 'They are' : 'All of them are';
  const reason = reasonWords(members.some(({ way }) => way === 'bare') ? 'bare' : 'mail');
  return (
    <>
      {toldCount > 0 && `${called.length > 0 ? some : all} told by mail or in their news${reason}. `}
      {called.length > 0 && `Please call ${called.join(', ')}: we can't reach them.`}
    </>
  );
}
