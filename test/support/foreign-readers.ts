import { parse as parseRows } from 'csv-parse/sync';
import { dsvFormat } from 'd3-dsv';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import Papa from 'papaparse';
import { convertIcsCalendar } from 'ts-ics';

/* What other programs read in our calendars and tables. */

export type ReadEvent = {
  uid: string;
  startsAt: number;
  endsAt: number;
  summary: string;
  location: string | undefined;
  description: string | undefined;
};
const byStart = (events: ReadEvent[]) => events.sort((one, other) => one.startsAt - other.startsAt);

export const calendarReaders: Record<string, (text: string) => ReadEvent[]> = {
  'ical.js': (text) =>
    byStart(
      new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => {
        const { uid, startDate, endDate, summary, location, description } = new ICAL.Event(component);
        const [startsAt, endsAt] = [startDate.toJSDate().getTime(), endDate.toJSDate().getTime()];
        return {
          uid,
          startsAt,
          endsAt,
          summary,
          location: location ?? undefined,
          description: description ?? undefined,
        };
      }),
    ),
  'node-ical': (text) =>
    byStart(
      Object.values(nodeIcal.sync.parseICS(text)).flatMap((component) => {
        if (component?.type !== 'VEVENT') return [];
        const textOf = (value: unknown) => (value === undefined ? undefined : String(value));
        const { uid, start, end, summary, location, description } = component;
        const [startsAt, endsAt] = [start.getTime(), end?.getTime() ?? Number.NaN];
        return [
          {
            uid,
            startsAt,
            endsAt,
            summary: String(summary),
            location: textOf(location),
            description: textOf(description),
          },
        ];
      }),
    ),
  'ts-ics': (text) =>
    byStart(
      (convertIcsCalendar(undefined, text).events ?? []).map(({ uid, start, end, summary, location, description }) => {
        const [startsAt, endsAt] = [start.date.getTime(), end?.date.getTime() ?? Number.NaN];
        return { uid, startsAt, endsAt, summary, location, description };
      }),
    ),
};

export const tableReaders: Record<string, (text: string) => string[][]> = {
  papaparse: (text) => Papa.parse<string[]>(text, { skipEmptyLines: true }).data,
  'csv-parse': (text) => parseRows(text, { bom: true }),
  'd3-dsv': (text) => dsvFormat(',').parseRows(text.replace(/^\uFEFF/, '')),
};
