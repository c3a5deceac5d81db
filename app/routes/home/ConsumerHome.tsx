import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { ReleaseNotes } from '../../components/frame/ReleaseNotes';
import { Notices } from '../../components/Notices';
import type { LineOf } from '../../components/times/AppointmentLine';
import type { NextAppointment as Next } from '../../domain/bookings/next.server';
import type { Page as PageOf } from '../../domain/input/fields';
import type { NoticeLine } from '../../domain/messages/notices';
import * as paths from '../../paths';
import { Agenda } from './Agenda';
import { Confirmations, type Confirmed } from './Confirmations';
import { NextAppointment } from './NextAppointment';

type Shown = {
  booked: PageOf<LineOf>;
  canceled: PageOf<LineOf>;
  confirmations: Confirmed;
  notices: NoticeLine[];
  next: (Next & { soon: string }) | null;
};

export function ConsumerHome({ booked, canceled, confirmations, notices, next }: Shown) {
  return (
    <Page title="Home" subtitle="Your day, well kept">
      <Confirmations confirmations={confirmations} />
      {next && <NextAppointment next={next} />}
      <div className="desk">
        {(notices.length > 0 || canceled.rows.length > 0) && (
          <div className="beside">
            <Notices notices={notices} see="See the appointment" />
            {canceled.rows.length > 0 && (
              <Card title="Canceled by the provider">
                <Agenda list={canceled} to={paths.appointment} />
              </Card>
            )}
          </div>
        )}
        <div>
          <Card
            title="Booked Appointments"
            aside={<TextLink to={paths.bookedAndCanceled()}>Booked and canceled</TextLink>}
          >
            {booked.rows.length === 0 ? (
              <Empty
                next={<ButtonLink to={paths.search()}>Book an appointment</ButtonLink>}
                about="What you book stands here, with the way there and the buttons to move or cancel it."
              >
                No Appointments
              </Empty>
            ) : (
              <div>
                <ButtonLink to={paths.search()}>Book another</ButtonLink>
              </div>
            )}
            <Agenda list={booked} to={paths.appointment} />
          </Card>
        </div>
      </div>
      <ReleaseNotes />
    </Page>
  );
}
