import { type WebCalendarEntry, webCalendars } from '../domain/calendar/web-calendars';

// Apple's calendar takes the file, those on the web an address. Nobody is asked before the press.
export function WebCalendars({ file, ...entered }: WebCalendarEntry & { file: string }) {
  const links = [{ name: 'Apple', href: file }, ...webCalendars(entered)];
  return (
    <p className="text-sm">
      Add to:{' '}
      {links.map(({ name, href }, place) => (
        <span key={name}>
          {place > 0 && ', '}
          <a href={href} rel="noreferrer" data-file="" className="text-accent underline underline-offset-4">
            {name}
          </a>
        </span>
      ))}
    </p>
  );
}
