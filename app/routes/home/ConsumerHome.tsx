import type { LineOf } from '../../components/AppointmentLine';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Page } from '../../components/Page';
import { ReleaseNotes } from '../../components/ReleaseNotes';
import { Told } from '../../components/Told';
import type { Page as PageOf } from '../../domain/input/fields';
import type { ToldLine } from '../../domain/messages/told';
import { Agenda } from './Agenda';
import { type Just, JustDone } from './JustDone';

type Shown = { booked: PageOf<LineOf>; canceled: PageOf<LineOf>; just: Just; told: ToldLine[] };

export function ConsumerHome({ booked, canceled, just, told }: Shown) {
  return (
    <Page title="Home" subtitle="Your day, well kept">
      <JustDone just={just} />
      <Told told={told} see="See the appointment" />
      {canceled.rows.length > 0 && (
        <Card title="Canceled by the provider">
          <Agenda list={canceled} to="/details-cancel" />
        </Card>
      )}
      <Card title="Booked Appointments" aside={<TextLink to="/view-dash">Booked and canceled</TextLink>}>
        {booked.rows.length === 0 ? (
          <Empty next={<ButtonLink to="/view">Book an appointment</ButtonLink>}>No Appointments</Empty>
        ) : (
          <div>
            <ButtonLink to="/view">Book another</ButtonLink>
          </div>
        )}
        <Agenda list={booked} to="/details-cancel" />
      </Card>
      <ReleaseNotes />
    </Page>
  );
}
