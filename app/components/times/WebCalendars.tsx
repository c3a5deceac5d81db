import { Trans } from '@lingui/react/macro';
import { type WebCalendarEntry, webCalendars } from '../../domain/calendar/web-calendars';

// Apple's calendar reads the file; web calendars take an address. We contact them only when the reader presses a link.
export function WebCalendars({ file, ...entered }: WebCalendarEntry & { file: string }) {
  const links = [{ name: 'Apple', href: file }, ...webCalendars(entered)];
  return (
    <p className="text-sm">
      <Trans>Add to:</Trans>{' '}
      {links.map(({ name, href }, place) => (
        <span key={name}>
          {place > 0 && ', '}
          <a href={href} rel="noreferrer" data-file="" className="underline underline-offset-4">
            {name}
          </a>
        </span>
      ))}
    </p>
  );
}
