import { msg, plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Card, Empty } from '../../components/Card';
import { useBookPaths } from '../../components/frame/book-paths';
import { NumberAndLinks, ReachLinks } from '../../components/Reach';
import { useWords } from '../../components/words';
import type { Appointment } from '../../domain/bookings/appointments';
import type { ClassMember } from '../../domain/messages/class-members.server';
import { isUntold, reasonAtLink } from '../../domain/messages/ways';
import type { Words } from '../../domain/words/words';

type TextedMember = Omit<ClassMember, 'about'> & { text: string | null };
type Props = { appointment: Pick<Appointment, 'seats'>; members: TextedMember[] };

export const ClassPeople = ({ appointment: { seats }, members }: Props) => {
  const { t } = useLingui();
  const desk = useBookPaths();
  const taken = members.reduce((sum, { people }) => sum + people, 0);
  return (
    <Card
      title={t`Who comes`}
      aside={
        <span className="text-sm text-muted">
          <Plural value={seats} one={`${taken} of # place`} other={`${taken} of # places`} />
        </span>
      }
    >
      {members.length === 0 && <Empty>{t`Nobody yet`}</Empty>}
      <ul className="grid">
        {members.map(({ id, name, people, phone, text, way }) => (
          <li key={id} className="border-b border-dashed border-rule py-2 last:border-0">
            <a href={desk.providerDetails(id)} className="font-semibold break-words underline-offset-4 hover:underline">
              <MemberName name={name} others={people - 1} />
            </a>
            {isUntold(way) && (
              <span className="block text-sm text-muted">{way === 'call' ? t`No e-mail` : t`Gets no mail`}</span>
            )}
            {phone && <NumberAndLinks {...{ phone, name, text }} />}
          </li>
        ))}
      </ul>
    </Card>
  );
};

const MemberName = ({ name, others }: { name: string; others: number }) =>
  others > 0 ? (
    <Trans>
      <bdi>{name}</bdi> and <Plural value={others} one="# more" other="# more" />
    </Trans>
  ) : (
    <bdi>{name}</bdi>
  );

const allTold = (count: number): Words =>
  msg({
    message: plural(
      { count },
      {
        one: 'They are told by mail or in their news, with your reason.',
        other: 'All of them are told by mail or in their news, with your reason.',
      },
    ),
  });
const allToldBarely = (count: number): Words =>
  msg({
    message: plural(
      { count },
      {
        one: 'They are told by mail or in their news.',
        other: 'All of them are told by mail or in their news.',
      },
    ),
  });
const someTold = (count: number): Words =>
  msg({
    message: plural(
      { count },
      {
        one: 'One of them is told by mail or in their news, with your reason.',
        other: '# of them are told by mail or in their news, with your reason.',
      },
    ),
  });
const someToldBarely = (count: number): Words =>
  msg({
    message: plural(
      { count },
      {
        one: 'One of them is told by mail or in their news.',
        other: '# of them are told by mail or in their news.',
      },
    ),
  });

export function HowMembersAreTold({
  members,
}: {
  members: Pick<TextedMember, 'id' | 'name' | 'phone' | 'way' | 'text'>[];
}) {
  const words = useWords();
  const called = members.filter(({ way }) => isUntold(way));
  const names = words({ list: called.map(({ name, phone }) => (phone ? `${name} (${phone})` : name)) });
  const toldCount = members.length - called.length;
  const isBare = members.some(({ way }) => way === 'bare');
  const [some, all] = isBare ? [someToldBarely, allToldBarely] : [someTold, allTold];
  return (
    <>
      {toldCount > 0 && `${words((called.length > 0 ? some : all)(toldCount))} `}
      {toldCount > 0 && isBare && `${words(reasonAtLink)} `}
      {called.length > 0 && <Trans>Please call {names}: we can't reach them.</Trans>}
      {called.map(
        ({ id, name, phone, text }) =>
          phone && (
            <span key={id} className="flex flex-wrap items-center gap-x-4">
              <bdi>{name}</bdi>
              <ReachLinks {...{ phone, name, text }} />
            </span>
          ),
      )}
    </>
  );
}
