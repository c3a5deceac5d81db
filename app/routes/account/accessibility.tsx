import { Card } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { pageLoader } from '../../http/page.server';

export const meta = titled(
  'Accessibility',
  'How Daybook can be used with assistive technology, and what was not tried.',
);
export const handle = { isStatic: true };

export const loader = pageLoader('anyone', async () => ({}));

const promises = [
  'Every screen and every form works without script, with a keyboard alone, and at 200 % text size.',
  'Text and controls have the contrast that WCAG 2.2 AA asks for, in the light and in the dark theme.',
  'What you can press is at least 24 pixels high and wide.',
  'A form that is refused says what is wrong beside each field, and keeps what you typed.',
  'Nothing moves where your device asks for less motion.',
];

const tried = [
  'axe finds no fault on any screen, at two widths, light and dark, with scripts on and off. It runs with our tests.',
  'A test walks every screen by keyboard, forwards and back, and another reads each page at a large browser font.',
  'We compare what each page says to assistive technology with what it shows.',
];

const notTried = [
  'No screen reader was used by a person who depends on one.',
  'No braille display, switch or eye tracking was tried.',
  'A table of guests with many answers scrolls sideways on a phone.',
  'A description, a note or a question is as accessible as its author wrote it.',
];

export default function Accessibility() {
  return (
    <Page title="Accessibility" subtitle="A book for everyone">
      <List title="What you can expect" lines={promises} />
      <List title="What we have tried" lines={tried} />
      <List title="What we have not tried" lines={notTried} />
    </Page>
  );
}

const List = ({ title, lines }: { title: string; lines: string[] }) => (
  <Card title={title}>
    <ul className="grid list-disc gap-2 pl-5">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </Card>
);
