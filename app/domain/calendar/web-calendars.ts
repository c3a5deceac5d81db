import { type Instant, machineText } from '../time/clock';

/** Has no notes and no answers, because its data becomes part of a web calendar's address. */
export type WebCalendarEntry = {
  title: string;
  startsAt: Instant;
  endsAt: Instant;
  location?: string | null;
  /** The reader's way back from their own calendar, as in the file. */
  link?: string;
};

const stamp = (at: Instant) => machineText(at).replaceAll(/[-:]|\.\d+/g, '');

export function webCalendars({
  title,
  startsAt,
  endsAt,
  location,
  link,
}: WebCalendarEntry): { name: string; href: string }[] {
  const google = new URLSearchParams({ action: 'TEMPLATE', text: title, dates: `${stamp(startsAt)}/${stamp(endsAt)}` });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    startdt: machineText(startsAt),
    enddt: machineText(endsAt),
  });
  if (location) for (const query of [google, outlook]) query.set('location', location);
  if (link) {
    google.set('details', link);
    outlook.set('body', link);
  }
  return [
    { name: 'Google', href: `https://calendar.google.com/calendar/render?${google}` },
    { name: 'Outlook', href: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}` },
  ];
}

/** Addresses at which calendar programs subscribe to a feed. */
export type Subscriptions = { program: string; web: { name: string; href: string }[] };

/** @param feed its address, with `https:` */
export function subscriptionsTo(feed: string): Subscriptions {
  const program = feed.replace(/^https?:/, 'webcal:');
  return {
    program,
    web: [
      { name: 'Google', href: `https://calendar.google.com/calendar/r?${new URLSearchParams({ cid: program })}` },
      { name: 'Outlook', href: `https://outlook.live.com/calendar/0/addfromweb?${new URLSearchParams({ url: feed })}` },
    ],
  };
}
