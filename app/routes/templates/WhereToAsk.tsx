import { useLingui } from '@lingui/react/macro';
import { TextAction } from '../../components/Button';
import * as paths from '../../paths';

/** The ways to the forms that choose questions. */
export function WhereToAsk() {
  const { t } = useLingui();
  return (
    <div className="flex flex-wrap gap-x-6">
      <TextAction icon="services" to={paths.services()}>
        {t`Services`}
      </TextAction>
      <TextAction icon="hours" to={paths.hours()}>
        {t`Hours`}
      </TextAction>
      <TextAction icon="free" to={paths.createTimes()}>
        {t`Create appointments`}
      </TextAction>
    </div>
  );
}
