import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { TextLink } from '../../components/Button';
import { TextArea } from '../../components/forms/Field';
import { Submit } from '../../components/forms/Form';
import { useBookPaths } from '../../components/frame/book-paths';
import { Moment } from '../../components/times/Time';
import type { Refusal } from '../../domain/errors';
import type { Outside } from '../../domain/hours/hours.server';
import { limits } from '../../domain/input/limits';
import { HowMembersAreTold } from '../appointments/ClassPeople';

/** The same, with what a text to each begins with. */
export type TextedOutside = Omit<Outside, 'outside'> & {
  outside: (Omit<Outside['outside'][number], 'about'> & { text: string | null })[];
};

type Props = TextedOutside & {
  isSaved: boolean; // the hours outside of which they are
  refused?: Refusal;
};

/** Who is booked outside of the hours. One press cancels the bookings that it lists. */
export function BookedOutside({ outside, outsideCount, isSaved, refused }: Props) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const count = outside.length;
  const more = outsideCount - count;
  return (
    <div className="grid gap-2">
      <p className="text-muted">
        <Trans>Booked outside of these hours, and stays unless you move or cancel it:</Trans>
      </p>
      <ul className="grid gap-1">
        {outside.map(({ id, name, ...span }) => (
          <li key={id}>
            <input type="hidden" name="booked" value={id} />
            <TextLink to={desk.providerView(id)}>
              <Moment at={span.startsAt} zone={span.timeZone} />, <bdi>{name}</bdi>
            </TextLink>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="text-muted">
          <Plural value={more} one="And # more." other="And # more." />
        </p>
      )}
      <p className="text-muted">
        <HowMembersAreTold members={outside} />
      </p>
      <TextArea name="reason" label={t`Reason`} maxLength={limits.reason} refused={refused} isOptional />
      <div>
        <Submit ends="cancel" name="press" value="cancel">
          {isSaved ? (
            <Plural
              value={count}
              _1="Cancel this appointment"
              one="Cancel # appointment"
              other="Cancel these # appointments"
            />
          ) : (
            <Plural
              value={count}
              _1="Save, and cancel this appointment"
              one="Save, and cancel # appointment"
              other="Save, and cancel these # appointments"
            />
          )}
        </Submit>
      </div>
    </div>
  );
}
