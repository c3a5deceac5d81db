import ICAL from 'ical.js';

/** An event of a calendar, as another program reads it. */
export type CalendarEvent = {
  uid: string;
  sequence: number;
  summary: string;
  description: string | null;
  location: string | null;
  url: string | null;
  status: string;
  startsAt: string;
  endsAt: string;
  /** Minutes before the start. */
  alarms: number[];
};

/** Reads a calendar, by UID. @throws Error if it is none, or has an entry twice */
export function readCalendar(text: string): {
  method: string;
  name: string | null;
  events: Map<string, CalendarEvent>;
} {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = new Map<string, CalendarEvent>();
  for (const component of calendar.getAllSubcomponents('vevent')) {
    const event = new ICAL.Event(component);
    const said = (name: string) => {
      const value = component.getFirstPropertyValue(name);
      return value === null ? null : String(value);
    };
    if (events.has(event.uid)) throw new Error(`${event.uid} is there twice.`);
    if (!said('dtstamp')) throw new Error(`${event.uid} has no stamp.`);
    events.set(event.uid, {
      uid: event.uid,
      sequence: event.sequence,
      summary: event.summary,
      description: said('description'),
      location: said('location'),
      url: said('url'),
      status: said('status') ?? '',
      startsAt: event.startDate.toJSDate().toISOString(),
      endsAt: event.endDate.toJSDate().toISOString(),
      alarms: component
        .getAllSubcomponents('valarm')
        .map((alarm) => -(alarm.getFirstPropertyValue('trigger') as ICAL.Duration).toSeconds() / 60),
    });
  }
  const name = calendar.getFirstPropertyValue('x-wr-calname');
  return { method: String(calendar.getFirstPropertyValue('method')), name: name && String(name), events };
}
