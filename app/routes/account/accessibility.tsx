import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Card } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { unreadTranslations } from '../../components/unread-translations';
import { useWords } from '../../components/words';
import type { Message } from '../../domain/words/words';
import { pageLoader } from '../../http/page.server';

export const meta = titled(
  msg`Accessibility`,
  msg`How Daybook can be used with assistive technology, and what was not tried.`,
);
export const handle = { isStatic: true };

export const loader = pageLoader('anyone', async () => ({}));

const promises = [
  msg`Every screen and every form works without script, with a keyboard alone, and at 200 % text size.`,
  msg`Text and controls have the contrast that WCAG 2.2 AA asks for, in the light and in the dark theme.`,
  msg`What you can press is at least 24 pixels high and wide.`,
  msg`A form that is refused says what is wrong beside each field, and keeps what you typed.`,
  msg`Nothing moves where your device asks for less motion.`,
];

const tried = [
  msg`axe finds no fault on any screen, at two widths, light and dark, with scripts on and off. It runs with our tests.`,
  msg`A test walks every screen by keyboard, forwards and back, and another reads each page at a large browser font.`,
  msg`We compare what each page says to assistive technology with what it shows.`,
];

const notTried = [
  msg`No screen reader was used by a person who depends on one.`,
  msg`No braille display, switch or eye tracking was tried.`,
  msg`A table of guests with many answers scrolls sideways on a phone.`,
  unreadTranslations,
  msg`A description, a note or a question is as accessible as its author wrote it.`,
];

export default function Accessibility() {
  const { t } = useLingui();
  return (
    <Page title={t`Accessibility`} subtitle={t`A book for everyone`}>
      <List title={t`What you can expect`} lines={promises} />
      <List title={t`What we have tried`} lines={tried} />
      <List title={t`What we have not tried`} lines={notTried} />
    </Page>
  );
}

function List({ title, lines }: { title: string; lines: Message[] }) {
  const words = useWords();
  return (
    <Card title={title}>
      <ul className="grid list-disc gap-2 ps-5">
        {lines.map((line) => (
          <li key={line.id}>{words(line)}</li>
        ))}
      </ul>
    </Card>
  );
}
