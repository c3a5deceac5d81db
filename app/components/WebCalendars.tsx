import { type Entered, webCalendars } from '../domain/calendar/web-calendars';

/** Links that add an appointment to a calendar: Apple's takes the file, those on the web an address. Nobody is asked before the press. */
export function WebCalendars({ file, ...entered }: Entered & { file: string }) {
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
