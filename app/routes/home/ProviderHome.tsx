import type { LineOf } from '../../components/AppointmentLine';
import { BookingLink } from '../../components/BookingLink';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Page } from '../../components/Page';
import { ReleaseNotes } from '../../components/ReleaseNotes';
import type { Page as PageOf } from '../../domain/input/fields';
import { Agenda } from './Agenda';
import { type Just, JustDone } from './JustDone';

type Shown = { booked: PageOf<LineOf>; canceled: PageOf<LineOf>; just: Just; link: string };

export function ProviderHome({ booked, canceled, just, link }: Shown) {
  return (
    <Page title="Home" subtitle="Your day, well kept">
      <JustDone just={just} />
      <Card
        title={<a href="/view-booked">Booked</a>}
        aside={
          <span className="flex flex-wrap gap-x-4">
            <TextLink to="/view-booked">All booked appointments</TextLink>
            <TextLink to="/view-dash">Booked and canceled</TextLink>
          </span>
        }
      >
        <Agenda list={booked} to="/view-provider" />
        {booked.rows.length === 0 && (
          <Empty next={<ButtonLink to="/create">Create appointments</ButtonLink>}>No Appointments</Empty>
        )}
      </Card>
      {canceled.rows.length > 0 && (
        <Card title="Canceled">
          <Agenda list={canceled} to="/view-provider" />
        </Card>
      )}
      <Card title="Your booking page">
        <BookingLink link={link} />
      </Card>
      <ReleaseNotes />
    </Page>
  );
}
