import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { isThisMachine } from '../http/plain.server';
import type { Asked } from './front';

// Without mail settings, keeps each mail as a file in DATA_DIR/mail, and shows them at /mail.

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] as string);
const isName = (name: string) => /^[\w.-]+\.eml$/.test(name);

const page = (title: string, body: string) =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1>${body}</html>`,
    {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
        'Cache-Control': 'no-store',
        // The address of a link in a mail is a key.
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      },
    },
  );

async function list(folder: string): Promise<Response> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter(isName).sort().reverse();
  const { simpleParser } = await import('mailparser');
  const lines = await Promise.all(
    names.slice(0, 100).map(async (name) => {
      const { subject, to, date } = await simpleParser(await readFile(join(folder, name)));
      const recipients = [to].flat().map((recipient) => recipient?.text ?? '');
      return `<li><a href="/mail/${name}">${escapeHtml(subject ?? 'No subject')}</a>, to ${escapeHtml(recipients.join(', '))}, ${date?.toISOString() ?? ''}</li>`;
    }),
  );
  return page('Mail', lines.length > 0 ? `<ul>${lines.join('\n')}</ul>` : '<p>No mail was sent yet.</p>');
}

async function show(folder: string, name: string): Promise<Response> {
  if (!isName(name) || !existsSync(join(folder, name))) return new Response('No such mail.', { status: 404 });
  const file = await readFile(join(folder, name));
  const { simpleParser } = await import('mailparser');
  const { subject, text = '' } = await simpleParser(file);
  const linked = escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
  return page(subject ?? 'Mail', `<pre>${linked}</pre><p><a href="/mail">All mail</a></p>`);
}

const folderIn = (dataDir: string) => join(dataDir, 'mail');

/** Makes the service that keeps mail. Only the outbox has the key, because mail that others plant looks like ours. */
export const mailbox =
  (dataDir: string, key: string) =>
  async (request: Request): Promise<Response> => {
    if (request.headers.get('Authorization') !== key) return new Response(null, { status: 403 });
    const folder = folderIn(dataDir);
    await mkdir(folder, { recursive: true });
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${crypto.randomUUID().slice(0, 8)}.eml`;
    await writeFile(join(folder, name), Buffer.from(await request.arrayBuffer()));
    return new Response(null, { status: 201 });
  };

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((some = []) => some.map(({ address }) => address.replace(/%.*/, '')));

/** True for a name that no other machine can lead here, as it could lead the name that this one has in its network. */
const isOwnHost = (host: string): boolean =>
  isThisMachine(host) || ownAddresses().some((address) => host === (isIPv6(address) ? `[${address}]` : address));

/** True for a name by which this machine is known in its network, without a proxy. */
const isOwnName = (host: string): boolean =>
  isOwnHost(host) || [hostname().toLowerCase(), `${hostname().toLowerCase()}.local`].includes(host);

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** True for a reader at this machine, without a proxy. */
function isHere({ method, client, incoming }: Asked, publicOrigin: string | undefined): boolean {
  // A proxy on this machine may add no header and use its own host name. Only PUBLIC_URL shows that others can reach
  // the server.
  const isPublic = publicOrigin !== undefined && !isOwnName(new URL(publicOrigin).hostname);
  if (isPublic || proxyHeaders.some((name) => incoming.headers[name] !== undefined)) return false;
  return ['GET', 'HEAD'].includes(method) && (client.startsWith('127.') || ownAddresses().includes(client));
}
const notHere = 'The mail of this server is shown on its own machine only. To send mail, set MAIL_URL.\n';

/** Makes the answer to who reads kept mail. That mail opens accounts, so only this machine may read it. */
export const mailPages =
  (dataDir: string, publicOrigin: string | undefined) =>
  (asked: Asked): Promise<Response> | undefined => {
    const [, first, name] = (asked.incoming.url ?? '').replace(/[?#].*/, '').split('/');
    if (first !== 'mail' || !isOwnHost(asked.url.hostname)) return undefined;
    if (!isHere(asked, publicOrigin)) return Promise.resolve(new Response(notHere, { status: 403 }));
    return name ? show(folderIn(dataDir), name) : list(folderIn(dataDir));
  };
