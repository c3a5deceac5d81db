import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
      },
    },
  );

async function list(folder: string): Promise<Response> {
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
  if (!isName(name) || !(await readdir(folder)).includes(name)) return new Response('No such mail.', { status: 404 });
  const file = await readFile(join(folder, name));
  const { simpleParser } = await import('mailparser');
  const { subject, text = '' } = await simpleParser(file);
  const linked = escapeHtml(text).replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
  return page(subject ?? 'Mail', `<pre>${linked}</pre><p><a href="/mail">All mail</a></p>`);
}

export function mailbox(dataDir: string): (request: Request) => Promise<Response> {
  const folder = join(dataDir, 'mail');
  return async (request) => {
    await mkdir(folder, { recursive: true });
    if (request.method === 'POST') {
      const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${crypto.randomUUID().slice(0, 8)}.eml`;
      await writeFile(join(folder, name), Buffer.from(await request.arrayBuffer()));
      return new Response(null, { status: 201 });
    }
    const [, , name] = new URL(request.url).pathname.split('/');
    return name ? show(folder, name) : list(folder);
  };
}
