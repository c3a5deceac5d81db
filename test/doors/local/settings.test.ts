import { describe, expect, test } from 'vitest';
import { clientAddress } from '../../../app/local/client-address';
import { Refusal } from '../../../app/local/refusal';
import { settingsOf } from '../../../app/local/settings';
import { useServer } from '../../support/use-server';

const from = { MAIL_FROM: 'Daybook <book@example.org>' };
const url = { MAIL_URL: 'smtps://user:hunter2@mail.example.org:465' };

describe('settings that can’t be right', () => {
  const wrong: [line: string, settings: Record<string, string>][] = [
    ['MAIL_FROM is missing', url],
    ['MAIL_FROM has no address', { ...url, MAIL_FROM: 'Daybook' }],
    ["MAIL_URL can't begin with smpt://", { ...from, MAIL_URL: 'smpt://user:hunter2@mail.example.org' }],
    ['MAIL_URL has no scheme', { ...from, MAIL_URL: 'mail.example.org:587' }],
    ['MAIL_URL begins with http://', { ...from, MAIL_KEY: 'hunter2', MAIL_URL: 'http://api.example.org/emails' }],
    ['MAIL_URL is no address', { ...from, MAIL_URL: 'smtp://' }],
    ['MAIL_URL has a % in its user or password', { ...from, MAIL_URL: 'smtp://user:hunter2%@mail.example.org' }],
    ['PUBLIC_URL must be an address without a path', { PUBLIC_URL: 'https://example.org/book' }],
    ['PUBLIC_URL must be an address without a path', { PUBLIC_URL: 'ftp://example.org' }],
    ['TRUST_PROXY must be the addresses of your proxies', { TRUST_PROXY: 'nginx' }],
    ['TRUST_PROXY_HEADER must be', { TRUST_PROXY: '127.0.0.1', TRUST_PROXY_HEADER: 'X Real IP' }],
    ['Set both SESSION_SECRETS and PASSWORD_PEPPER', { PASSWORD_PEPPER: 'hunter2' }],
  ];

  test.each(wrong)('are refused in one line: %s, of %j', (line, settings) => {
    const refused = expect.objectContaining({ message: expect.stringContaining(line) });
    expect(() => settingsOf(settings)).toThrow(refused);
    expect(() => settingsOf(settings)).toThrow(Refusal);
  });

  test.each(wrong)('are refused without the password in them: %s, of %j', (_, settings) => {
    expect(() => settingsOf(settings)).not.toThrow('hunter2');
  });
});

describe('a Worker with a setting that can’t be right', () => {
  const lines: string[] = [];
  const daybook = useServer({
    log: ({ message }) => void lines.push(message),
    vars: { LOG: 'on', MAIL_URL: 'smpt://user:hunter2@mail.example.org', ...from },
  });
  const linesOf = (words: string) => lines.filter((line) => line.includes(words));

  test('says so in its log once', async () => {
    const responses = [await daybook.visitor().get('/register'), await daybook.visitor().get('/register')];

    for (const { headers } of responses)
      await expect.poll(() => linesOf(headers.get('x-request-id') ?? '')).not.toEqual([]);
    expect(linesOf('wrong setting')).toEqual([
      expect.stringMatching(
        /^{"message":"wrong setting","setting":"MAIL_URL","cause":"MAIL_URL can't begin with smpt:\/\//,
      ),
    ]);
  });

  test('offers no mail', async () => {
    const page = await daybook.visitor().get('/register');

    expect(page.status).toBe(200);
    expect(page.words).not.toContain('E-mail');
  });
});

describe('the client of a request', () => {
  const local = clientAddress({ addresses: '127.0.0.1, ::1 10.0.0.0/8' });

  test.each([
    ['203.0.113.7', { 'x-forwarded-for': '198.51.100.1' }, '203.0.113.7'],
    ['127.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
    ['::ffff:127.0.0.1', { 'x-forwarded-for': '::ffff:198.51.100.1' }, '198.51.100.1'],
    // Whoever asks may begin the list; what a proxy adds stands at its end.
    ['127.0.0.1', { 'x-forwarded-for': '1.2.3.4, 198.51.100.1, 10.1.2.3' }, '198.51.100.1'],
    ['0:0:0:0:0:FFFF:7f00:1', { 'x-forwarded-for': '::ffff:c633:6401' }, '198.51.100.1'],
    ['127.0.0.1', { 'x-forwarded-for': '198.51.100.1, ::1,127.0.0.1' }, '198.51.100.1'],
    // Each connection has another port.
    ['127.0.0.1', { 'x-forwarded-for': '198.51.100.1:4711' }, '198.51.100.1'],
    ['127.0.0.1', { 'x-forwarded-for': '1.2.3.4, [2001:db8::1]:4711' }, '2001:db8::1'],
    ['127.0.0.1', { 'x-forwarded-for': '[2001:db8::1]' }, '2001:db8::1'],
    ['127.0.0.1', { 'x-forwarded-for': '198.51.100.1, 10.1.2.3:4711, [::1]:80' }, '198.51.100.1'],
    // One address, however it is spelled.
    ['127.0.0.1', { 'x-forwarded-for': '2001:DB8:0:0::0.0.0.1' }, '2001:db8::1'],
    ['127.0.0.1', { 'x-forwarded-for': '2001:db8::1%mallory' }, '2001:db8::1'],
    ['fe80::1%eth0', {}, 'fe80::1'],
    // What can't be read ends the search, so nobody gets around it to what they wrote before.
    ['127.0.0.1', { 'x-forwarded-for': 'unknown' }, '127.0.0.1'],
    ['127.0.0.1', { 'x-forwarded-for': '1.2.3.4, unknown' }, '127.0.0.1'],
    ['127.0.0.1', { 'x-forwarded-for': '1.2.3.4, _hidden, 10.1.2.3' }, '10.1.2.3'],
    ['127.0.0.1', { 'x-forwarded-for': '1.2.3.4, 198.51.100.1:4711x, 10.1.2.3' }, '10.1.2.3'],
    ['127.0.0.1', { 'x-forwarded-for': '1.2.3.4, , 10.1.2.3' }, '10.1.2.3'],
    ['127.0.0.1', { 'x-forwarded-for': '1.2.3.4,' }, '127.0.0.1'],
    ['127.0.0.1', { 'x-forwarded-for': '' }, '127.0.0.1'],
    ['127.0.0.1', { 'x-forwarded-for': '1.2.3.4, for=198.51.100.1' }, '127.0.0.1'],
    ['127.0.0.1', { 'x-real-ip': '198.51.100.1', 'cf-connecting-ip': '198.51.100.1' }, '127.0.0.1'],
  ])('that %s sends with %j is %s', (sender, headers, client) => {
    expect(local(sender, headers).client).toBe(client);
  });

  describe('of a proxy that names it in another header', () => {
    const named = clientAddress({ addresses: '127.0.0.1', header: 'X-Real-IP' });
    const headers = { 'x-real-ip': '198.51.100.1', 'x-forwarded-proto': 'https' };

    test('is said by that header, as is https', () => {
      expect(named('127.0.0.1', headers)).toEqual({ client: '198.51.100.1', isHttps: true });
    });

    test('is not said by it where somebody else sends it', () => {
      expect(named('203.0.113.7', headers)).toEqual({ client: '203.0.113.7', isHttps: false });
    });
  });

  test.each(['localhost', '10.0.0.0/33', '1.2.3', '10.0.0.0/8/8'])('TRUST_PROXY=%s is refused', (addresses) => {
    expect(() => clientAddress({ addresses })).toThrow(Refusal);
  });
});
