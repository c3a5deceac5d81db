import { Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { ReleaseNotes } from '../../components/frame/ReleaseNotes';
import { Notices } from '../../components/Notices';
import type { LineOf } from '../../components/times/AppointmentLine';
import type { NextAppointment as Next } from '../../domain/bookings/next.server';
import type { Page as PageOf } from '../../domain/input/fields';
import type { NoticeLine } from '../../domain/messages/notices';
import type { Words } from '../../domain/words/words';
import * as paths from '../../paths';
import { Agenda } from './Agenda';
import { Confirmations, type Confirmed } from './Confirmations';
import { NextAppointment } from './NextAppointment';

type Shown = {
  booked: PageOf<LineOf>;
  canceled: PageOf<LineOf>;
  confirmations: Confirmed;
  notices: NoticeLine[];
  next: (Next & { soon: Words }) | null;
};

export function ConsumerHome({ booked, canceled, confirmations, notices, next }: Shown) {
  const { t } = useLingui();
  return (
    <Page title={t`Home`} subtitle={t`Your day, well kept`}>
      <Confirmations confirmations={confirmations} />
      {next && <NextAppointment next={next} />}
      <div className="desk">
        {(notices.length > 0 || canceled.rows.length > 0) && (
          <div className="beside">
            <Notices notices={notices} see={t`See the appointment`} />
            {canceled.rows.length > 0 && (
              <Card title={<Trans>Canceled by the provider</Trans>}>
                <Agenda list={canceled} to={paths.appointment} />
              </Card>
            )}
          </div>
        )}
        <div>
          <Card
            title={<Trans>Booked Appointments</Trans>}
            aside={
              <TextLink to={paths.bookedAndCanceled()}>
                <Trans>Booked and canceled</Trans>
              </TextLink>
            }
          >
            {booked.rows.length === 0 ? (
              <Empty
                next={
                  <ButtonLink to={paths.search()}>
                    <Trans>Book an appointment</Trans>
                  </ButtonLink>
                }
                about={t`What you book stands here, with the way there and the buttons to move or cancel it.`}
              >
                <Trans>No Appointments</Trans>
              </Empty>
            ) : (
              <div>
                <ButtonLink to={paths.search()}>
                  <Trans>Book another</Trans>
                </ButtonLink>
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
