import type { ReactNode } from 'react';
import * as paths from '../../paths';
import { ButtonLink, TextLink } from '../Button';
import { Page } from './Page';

const adverbs = ['effortlessly', 'instantly', 'reliably', 'anywhere'];

const forWhom = [
  'Barbers and salons',
  'Doctors and practices',
  'Yoga and classes',
  'Teachers and trainers',
  'Parties and meetups',
];

const reasons = [
  {
    title: 'Easy to use',
    words:
      'Three taps and no account for your clients. Four minutes for you: what you offer, when, and your page stands.',
  },
  {
    title: 'Completely free',
    words:
      'No price, no trial, no adverts. It runs on your own account at the edge, whose free plan takes 7,000 bookings a day.',
  },
  {
    title: 'Rapid updates',
    words: 'Who books, moves or cancels is in your day at that moment, in your mail and in your own calendar.',
  },
];

const strengths = [
  {
    title: 'Nobody is booked twice',
    words: 'Fifty people may press at once: one has the time, and the others see the nearest ones.',
  },
  {
    title: 'A cancellation fills itself',
    words: 'Whoever waits is offered the time at that moment, and it is held for them while they decide.',
  },
  {
    title: 'Regulars keep their time',
    words: 'Every Tuesday at ten is theirs before anybody else sees the week.',
  },
  {
    title: 'It knows your other calendar',
    words:
      'What stands in Google, Outlook or Apple is no free time here. What we can’t read isn’t either, and we say so.',
  },
  {
    title: 'Ten kilobytes',
    words: 'The page of your clients opens on an old phone, on a train, and with scripts off.',
  },
  {
    title: 'Yours',
    words: 'The data are in your own database, nothing is sold or shown around, and one file takes everything along.',
  },
];

const Points = ({ of, children }: { of: typeof strengths; children: (point: (typeof strengths)[0]) => ReactNode }) => (
  <div className="points">{of.map(children)}</div>
);

export function Landing() {
  return (
    <Page title="Daybook" subtitle="Time, well kept">
      <div className="hero">
        <section className="grid gap-6">
          <h2 className="text-hero">
            Book people’s time{' '}
            <em className="adverbs text-accent">
              {adverbs.map((adverb, place) => (
                <span key={adverb} aria-hidden={place > 0}>
                  {`${adverb}.`}
                </span>
              ))}
            </em>
          </h2>
          <p className="text-lg text-muted">
            A page where your clients book, and a calm day for you. On any phone, with any connection, without an app.
          </p>
          <div className="flex flex-wrap gap-3">
            <span className="breathes inline-flex">
              <ButtonLink to={paths.register()}>Register Now</ButtonLink>
            </span>
            <ButtonLink quiet to={paths.examplePage()}>
              See a booking page
            </ButtonLink>
          </div>
          <label className="motion-control">
            <input type="checkbox" className="pause" /> Pause the motion
          </label>
        </section>
        <p className="shots">
          <img
            src="/pictures/desk.webp"
            width={960}
            height={640}
            alt="A barber’s Tuesday: who is next, the day hour by hour in the colours of the services, and what is new"
          />
          <img
            src="/pictures/phone.webp"
            width={360}
            height={720}
            alt="The barber’s page on a phone: services with prices, the days of a month, free times"
          />
        </p>
      </div>
      <ul aria-label="For whom" className="for-whom">
        {forWhom.map((whom) => (
          <li key={whom}>{whom}</li>
        ))}
      </ul>
      <section className="grid gap-4">
        <h2 className="text-2xl">Why choose us</h2>
        <Points of={reasons}>
          {({ title, words }) => (
            <details key={title} open>
              <summary>{title}</summary>
              <p>{words}</p>
            </details>
          )}
        </Points>
      </section>
      <Points of={strengths}>
        {({ title, words }) => (
          <section key={title}>
            <h3>{title}</h3>
            <p>{words}</p>
          </section>
        )}
      </Points>
      <section className="ready">
        <h2 className="text-2xl">Ready in four minutes</h2>
        <ButtonLink to={paths.register()}>Begin</ButtonLink>
      </section>
      <footer>
        <span>Daybook: time, well kept</span>
        <TextLink to={paths.paperCode()}>Somebody booked for you? Type the code from your slip of paper</TextLink>
        <TextLink to={paths.apiPage()}>For programs</TextLink>
        <TextLink to={paths.accessibility()}>Accessibility</TextLink>
      </footer>
    </Page>
  );
}
