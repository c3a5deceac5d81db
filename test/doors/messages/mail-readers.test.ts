import { type ParsedMail, simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import type { Mail } from '../../../app/domain/messages/mail';
import { compose } from '../../../app/mail/compose';

/* A mail as a foreign mail program reads it. */

const from = { name: 'Daybook', address: 'book@daybook.test' };
const entry = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n';
const usual: Mail = {
  id: 'one:1',
  to: 'ana@mail.test',
  subject: 'Confirmed',
  text: 'Words\n',
  html: '<p>Words</p>\n',
  calendar: { method: 'REQUEST', content: entry },
  unsubscribe: `https://daybook.test/unsubscribe/${'x'.repeat(120)}`,
};

const written = (known: Partial<Mail> = {}): string => compose({ ...usual, ...known }, from);
const read = (known: Partial<Mail> = {}): Promise<ParsedMail> => simpleParser(written(known));
const longestLine = (raw: string) => Math.max(...raw.split('\r\n').map((line) => line.length));

const arabic = 'ليلى الخطيب';
const longWord = 'x'.repeat(2_000);
const longSentence = 'Ein Satz über mehr als eine Zeile. '.repeat(60).trim();

describe('a subject', () => {
  test.each([
    ['in plain letters', 'Your appointment with Karla'],
    ['with an emoji', '🎉 Lanterns 👩‍👩‍👧‍👦 on Friday'],
    ['in Arabic', `موعدك مع ${arabic}`],
    ['in Japanese, of many lines', '予約が確定しました'.repeat(20)],
    ['of one long word', longWord],
  ])('%s is read as it was', async (_, subject) => {
    expect((await read({ subject })).subject).toBe(subject);
  });

  test('in code stays in code', async () => {
    expect((await read({ subject: '=?utf-8?Q?Rival?=' })).subject).toContain('?utf-8?Q?Rival?=');
  });

  test('begins no other header', async () => {
    const { headers, subject } = await read({ subject: 'One\r\nBcc: rival@mail.test' });

    expect(subject).toBe('One Bcc: rival@mail.test');
    expect(headers.has('bcc')).toBe(false);
  });
});

describe('a name', () => {
  test('in code stays in code', async () => {
    const { replyTo } = await read({ replyTo: { name: '=?utf-8?Q?Rival?=', address: 'karla@mail.test' } });

    expect(replyTo?.value[0]?.name).toContain('?utf-8?Q?Rival?=');
  });

  test.each([
    ['in Arabic', arabic],
    ['with an emoji', 'Zoë 💈'],
    ['with signs that have a meaning in an address', 'Karla "K", <Hair> & Co; (Lisbon)'],
  ])('%s is read as it was', async (_, name) => {
    const { replyTo } = await read({ replyTo: { name, address: 'karla@mail.test' } });

    expect(replyTo?.value).toEqual([{ name, address: 'karla@mail.test' }]);
  });
});

describe('the words', () => {
  test.each([
    ['in plain letters', 'Hello\n'],
    ['in Arabic', `${arabic}\n`],
    ['with an emoji', 'Hello 👋🏽\n'],
    ['of one long word', `${longWord}\n`],
    ['of one long line', `${longSentence}\n`],
    ['with spaces at the end of a line', 'Hello  \nAna\t\n'],
    ['with a line of one dot', 'Hello\n.\nAna\n'],
    ['with what ends a part', 'Hello\n--\n--_NmP\n-- \nAna\n'],
    ['with signs of the encoding', '=3D = =\n'],
  ])('%s are read as they were', async (_, text) => {
    const mail = await read({ text, html: `<p>${text}</p>` });

    expect(mail.text).toBe(text);
    expect(mail.html).toBe(`<p>${text}</p>`);
  });

  test.each([
    ['of Windows', 'Hello\r\n\r\nAna\r\n'],
    ['of old programs', 'Hello\r\rAna\r'],
    ['of all kinds', 'Hello\r\n\rAna\n'],
  ])('with line ends %s have the same lines', async (_, text) => {
    expect((await read({ text })).text).toBe('Hello\n\nAna\n');
  });
});

describe('the entry', () => {
  const long = `${entry.replace('END', `DESCRIPTION:${arabic}\r\n ${'y'.repeat(60)}\r\nEND`)}`;
  const partsOf = async (content: string) => {
    const { attachments } = await read({ calendar: { method: 'REQUEST', content } });
    return attachments.map(({ contentType, content }) => [contentType, content.toString()]);
  };

  test.each([
    ['in plain letters', entry],
    ['in Arabic', long],
  ])('%s is the same as a part and as a file', async (_, content) => {
    expect(await partsOf(content)).toEqual([
      ['text/calendar', content],
      ['application/ics', content],
    ]);
  });

  test('says in its type that it asks', () => {
    expect(written()).toMatch(/^Content-Type: text\/calendar; charset=utf-8; method=REQUEST\r$/m);
  });

  test('is a file with a name', async () => {
    const { attachments } = await read();

    expect(attachments.at(-1)).toMatchObject({ filename: 'daybook.ics', contentDisposition: 'attachment' });
  });

  test('is missing from a mail that has none', async () => {
    expect((await read({ calendar: undefined })).attachments).toEqual([]);
  });
});

describe('a mail on its way', () => {
  const hardest = { subject: `🎉 ${longSentence}`, text: `${longWord}\n${longSentence}\r${arabic}`, html: longWord };

  test('has no line longer than servers take', () => {
    expect(longestLine(written({ ...hardest, unsubscribe: null }))).toBeLessThanOrEqual(78);
  });

  test('has no line end but CR LF', () => {
    expect(written(hardest).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  test('is in ASCII', () => {
    expect(written(hardest)).toMatch(/^[\t\r\n -~]*$/);
  });

  test('ends in a line end', () => {
    expect(written()).toMatch(/--\r\n$/);
  });

  test('says that a program wrote it, how to end such mails, and which mail it is', async () => {
    const { headers, messageId } = await read();

    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('list')).toMatchObject({ unsubscribe: { url: usual.unsubscribe } });
    expect(messageId).toBe('<one:1@daybook.test>');
  });

  test('has a border of parts that nobody can foresee', () => {
    const borderOf = (raw: string) => /boundary="(.*?)"/.exec(raw)?.[1];

    expect(borderOf(written())).toMatch(/[0-9a-f]{16}/);
    expect(borderOf(written())).not.toBe(borderOf(written()));
  });
});
