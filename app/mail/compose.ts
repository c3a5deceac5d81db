import * as base64 from 'nodemailer/lib/base64';
import MimeNode from 'nodemailer/lib/mime-node';
import * as quotedPrintable from 'nodemailer/lib/qp';
import type { Mail, Sender } from '../domain/messages/mail';
import { headersOf } from './headers';

// A line break would begin another header, and '=?' letters in code, which readers would show as other words.
const oneLine = (text: string) =>
  text
    .replaceAll(/[\r\n\t\0]+/g, ' ')
    .replaceAll('=?', '= ?')
    .trim();
const withLineEnds = (text: string) => text.replaceAll(/\r\n?|\n/g, '\r\n');

const addBodies = (node: MimeNode, { text, html, calendar }: Mail) => {
  node.createChild('text/plain; charset=utf-8').setContent(withLineEnds(text));
  node.createChild('text/html; charset=utf-8').setContent(withLineEnds(html));
  if (!calendar) return;
  node.createChild(`text/calendar; charset=utf-8; method=${calendar.method}`).setContent(calendar.content);
};

function treeOf(mail: Mail): MimeNode {
  const { calendar } = mail;
  if (!calendar) {
    const root = new MimeNode('multipart/alternative');
    addBodies(root, mail);
    return root;
  }
  const root = new MimeNode('multipart/mixed');
  addBodies(root.createChild('multipart/alternative'), mail);
  root
    .createChild('application/ics', { filename: 'daybook.ics' })
    .setHeader('Content-Transfer-Encoding', 'base64')
    .setContent(calendar.content);
  return root;
}

function encoded(text: string, encoding: string | false): string {
  if (encoding === 'quoted-printable') return quotedPrintable.wrap(quotedPrintable.encode(text));
  if (encoding === 'base64') return base64.wrap(base64.encode(text));
  return text;
}

// nodemailer's own build() gives each part three streams, which took six times as long in a Worker as all the rest.
function written(node: MimeNode): string {
  const head = `${node.buildHeaders()}\r\n\r\n`;
  if (!node.multipart) return head + encoded(String(node.content), node.getTransferEncoding());
  const parts = node.childNodes.map((part) => `--${node.boundary}\r\n${written(part)}\r\n`);
  return `${head}${parts.join('')}--${node.boundary}--\r\n`;
}

/** Writes a mail as MIME (RFC 5322): plain text, HTML, and the calendar entry as a part and as a file. */
export function compose(mail: Mail, from: Sender): string {
  const { replyTo } = mail;
  return written(
    treeOf(mail).setHeader({
      From: { name: oneLine(from.name), address: from.address },
      To: { name: '', address: mail.to },
      ...(replyTo && { 'Reply-To': { name: oneLine(replyTo.name), address: replyTo.address } }),
      Subject: oneLine(mail.subject),
      ...headersOf(mail, from),
    }),
  );
}
