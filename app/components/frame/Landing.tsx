import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Words } from '../../domain/words/words';
import * as paths from '../../paths';
import { ButtonLink, TextLink } from '../Button';
import { useWords } from '../words';
import { Page } from './Page';

const adverbs = [
  msg({ message: 'effortlessly.', context: 'after: Book people’s time' }),
  msg({ message: 'instantly.', context: 'after: Book people’s time' }),
  msg({ message: 'reliably.', context: 'after: Book people’s time' }),
  msg({ message: 'anywhere.', context: 'after: Book people’s time' }),
];

const forWhom = [
  msg`Barbers and salons`,
  msg`Doctors and practices`,
  msg`Yoga and classes`,
  msg`Teachers and trainers`,
  msg`Parties and meetups`,
];

type Point = { title: Words; about: Words };

const reasons: Point[] = [
  {
    title: msg`Easy to use`,
    about: msg`Three taps and no account for your clients. Four minutes for you: what you offer, when, and your page stands.`,
  },
  {
    title: msg`Completely free`,
    about: msg`No price, no trial, no adverts. It runs on your own account at the edge, whose free plan takes 7,000 bookings a day.`,
  },
  {
    title: msg`Rapid updates`,
    about: msg`Who books, moves or cancels is in your day at that moment, in your mail and in your own calendar.`,
  },
];

const strengths: Point[] = [
  {
    title: msg`Nobody is booked twice`,
    about: msg`Fifty people may press at once: one has the time, and the others see the nearest ones.`,
  },
  {
    title: msg`A cancellation fills itself`,
    about: msg`Whoever waits is offered the time at that moment, and it is held for them while they decide.`,
  },
  {
    title: msg`Regulars keep their time`,
    about: msg`Every Tuesday at ten is theirs before anybody else sees the week.`,
  },
  {
    title: msg`It knows your other calendar`,
    about: msg`What stands in Google, Outlook or Apple is no free time here. What we can’t read isn’t either, and we say so.`,
  },
  {
    title: msg`Ten kilobytes`,
    about: msg`The page of your clients opens on an old phone, on a train, and with scripts off.`,
  },
  {
    title: msg({ message: 'Yours', context: 'the data' }),
    about: msg`The data are in your own database, nothing is sold or shown around, and one file takes everything along.`,
  },
];

type PointsProps = { of: Point[]; children: (point: { title: string; about: string }) => ReactNode };

function Points({ of, children }: PointsProps) {
  const words = useWords();
  return (
    <div className="points">{of.map(({ title, about }) => children({ title: words(title), about: words(about) }))}</div>
  );
}

export function Landing() {
  const { t } = useLingui();
  const words = useWords();
  return (
    <Page title="Daybook" subtitle={<Trans>Time, well kept</Trans>}>
      <div className="hero">
        <section className="grid gap-6">
          <h2 className="text-hero">
            <Trans>Book people’s time</Trans>{' '}
            <em className="adverbs text-accent">
              {adverbs.map((adverb, place) => (
                <span key={adverb.id} aria-hidden={place > 0}>
                  {words(adverb)}
                </span>
              ))}
            </em>
          </h2>
          <p className="text-lg text-muted">
            <Trans>
              A page where your clients book, and a calm day for you. On any phone, with any connection, without an app.
            </Trans>
          </p>
          <div className="flex flex-wrap gap-3">
            <span className="breathes inline-flex">
              <ButtonLink to={paths.register()}>
                <Trans>Register Now</Trans>
              </ButtonLink>
            </span>
            <ButtonLink quiet to={paths.examplePage()}>
              <Trans>See a booking page</Trans>
            </ButtonLink>
          </div>
          <label className="motion-control">
            <input type="checkbox" className="pause" /> <Trans>Pause the motion</Trans>
          </label>
        </section>
        <p className="shots">
          <img
            src="/pictures/desk.webp"
            width={960}
            height={640}
            alt={t`A barber’s Tuesday: who is next, the day hour by hour in the colours of the services, and what is new`}
          />
          <img
            src="/pictures/phone.webp"
            width={360}
            height={720}
            alt={t`The barber’s page on a phone: services with prices, the days of a month, free times`}
          />
        </p>
      </div>
      <ul aria-label={t`For whom`} className="for-whom">
        {forWhom.map((whom) => (
          <li key={whom.id}>{words(whom)}</li>
        ))}
      </ul>
      <section className="grid gap-4">
        <h2 className="text-2xl">
          <Trans>Why choose us</Trans>
        </h2>
        <Points of={reasons}>
          {({ title, about }) => (
            <details key={title} open>
              <summary>{title}</summary>
              <p>{about}</p>
            </details>
          )}
        </Points>
      </section>
      <Points of={strengths}>
        {({ title, about }) => (
          <section key={title}>
            <h3>{title}</h3>
            <p>{about}</p>
          </section>
        )}
      </Points>
      <section className="ready">
        <h2 className="text-2xl">
          <Trans>Ready in four minutes</Trans>
        </h2>
        <ButtonLink to={paths.register()}>
          <Trans>Begin</Trans>
        </ButtonLink>
      </section>
      <footer>
        <span>
          <Trans>Daybook: time, well kept</Trans>
        </span>
        <TextLink to={paths.paperCode()}>
          <Trans>Somebody booked for you? Type the code from your slip of paper</Trans>
        </TextLink>
        <TextLink to={paths.apiPage()}>
          <Trans>For programs</Trans>
        </TextLink>
        <TextLink to={paths.accessibility()}>
          <Trans>Accessibility</Trans>
        </TextLink>
      </footer>
    </Page>
  );
}
