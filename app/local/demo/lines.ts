import type { D1 } from '../d1';

export async function demoLines(d1: D1): Promise<string[]> {
  const { demoLogins } = await import('./book');
  const names = JSON.stringify(demoLogins.map(({ username }) => username));
  const { results } = await d1
    .prepare('SELECT username FROM accounts WHERE username IN (SELECT value FROM json_each(?1))')
    .bind(names)
    .all<{ username: string }>();
  const usernames = new Set(results.map(({ username }) => username));
  const presentLogins = demoLogins.filter(({ username }) => usernames.has(username));
  if (presentLogins.length === 0) return [];
  const wide = (field: 'username' | 'password') => Math.max(...presentLogins.map((login) => login[field].length));
  return [
    'Log in with the demo data:',
    ...presentLogins.map(
      ({ username, password, role, what }) =>
        `  ${username.padEnd(wide('username'))}  ${password.padEnd(wide('password'))}  ${role}: ${what}`,
    ),
  ];
}
