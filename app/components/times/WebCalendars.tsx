import { useLingui } from '@lingui/react/macro';
import { type WebCalendarEntry, webCalendars } from '../../domain/calendar/web-calendars';
import { WebLinks } from '../WebLinks';

/** Adds an appointment to a calendar: Apple's reads the file, those on the web take an address. */
export function WebCalendars({ file, ...entered }: WebCalendarEntry & { file: string }) {
  const { t } = useLingui();
  return <WebLinks label={t`Add to:`} links={[{ name: 'Apple', href: file }, ...webCalendars(entered)]} />;
}
