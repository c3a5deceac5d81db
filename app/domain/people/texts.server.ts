import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import * as paths from '../../paths';
import { bookingPath, type Links } from '../links.server';
import type { Instant } from '../time/clock';
import { momentWords } from '../time/when-words';
import type { WordsIn } from '../words/i18n';
import { languageOf } from '../words/languages';
import { worded } from '../words/worded';
import type { Words } from '../words/words';

/** The provider who writes, and in which words. */
export type Sender = {
  name: string;
  username: string | null;
  origin: string;
  i18n: I18n;
  links: Links;
  wordsIn: WordsIn;
};

/** What a text to somebody is about. */
export type TextAbout = {
  /** Their language, as it is stored; if there is none, they get the sender's. */
  lang: string | null;
  /** When the appointment or event begins; left out if it is about none. */
  when?: Words;
  /** Of the event; left out for an appointment. */
  title?: string;
  /** The seed of a guest's personal link, as in bookingKeyOf. An account's link is nobody else's. */
  linkSource?: string | null;
  /** The page that the text links to if they have no personal link; left out for the sender's own page. */
  path?: string;
};

type Booking = { id: string; startsAt: Instant; timeZone: string };
type Client = { lang: string | null; linkSource: string | null };

/** What a text to the client of a booking is about; null without a number. */
export const aboutBooking = (
  { id, startsAt, timeZone }: Booking,
  { lang, linkSource }: Client,
  phone: string | null,
): TextAbout | null =>
  phone === null ? null : { lang, when: momentWords(startsAt, timeZone), linkSource, path: paths.appointment(id) };

type Event = { title: string; startsAt: Instant; timeZone: string };

/** What a text to a guest of a party or meetup is about, with their page of it. */
export const aboutEvent = (
  { title, startsAt, timeZone }: Event,
  { lang = null }: { lang?: string | null },
  path: string,
): TextAbout => ({
  lang,
  when: momentWords(startsAt, timeZone),
  title,
  path,
});

function subjectOf({ when, title }: TextAbout, name: string): Words {
  if (when === undefined) return `${name}:`;
  return title
    ? msg`This is ${name}, about “${title}” on ${when}.`
    : msg`This is ${name}, about your appointment on ${when}.`;
}

async function textOf({ name, username, origin, i18n, links, wordsIn }: Sender, about: TextAbout): Promise<string> {
  const language = languageOf(about.lang);
  const theirs = language && language !== i18n.locale ? await wordsIn(language) : i18n;
  const path = about.linkSource ? bookingPath(links, about.linkSource) : (about.path ?? paths.provider(username ?? ''));
  return `${worded(theirs, subjectOf(about, name))}\n${origin}${path}`;
}

type Textable = { about: TextAbout | null };
type Texted<Row> = Omit<Row, 'about'> & { text: string | null };

/** Words what a text to somebody begins with, in their language: who writes, about when, and their link. */
export async function withText<Row extends Textable>(sender: Sender, { about, ...row }: Row): Promise<Texted<Row>> {
  return { ...row, text: about && (await textOf(sender, about)) };
}

export const withTexts = <Row extends Textable>(sender: Sender, rows: Row[]): Promise<Texted<Row>[]> =>
  Promise.all(rows.map((row) => withText(sender, row)));
