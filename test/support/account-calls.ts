import { type Person, password } from './factories';
import type { Served } from './use-server';
import type { Sent, Visitor } from './visit';

let names = 0;
/** A valid registration, each time under a new name. */
export const consumer = (details: object = {}) => ({
  username: `Guest.${++names}`,
  displayName: 'Maya Lindqvist',
  password,
  role: 'Consumer',
  ...details,
});

/** Calls of /api/Account, from a new browser unless one is named. They assert nothing. */
export const accountCalls = (daybook: Served) => ({
  register: (body: unknown, sent?: Sent, door: Visitor = daybook.visitor()) =>
    door.api('POST', '/api/Account/Register', body, sent),
  logIn: (body: unknown, door: Visitor = daybook.visitor(), sent?: Sent) =>
    door.api('POST', '/api/Account/Login', body, sent),
});

export const profileOf = async (who: Pick<Person, 'api'>) => (await who.api('GET', '/api/Account/Profile')).json;
export const setRules = (provider: Pick<Person, 'api'>, rules: unknown) =>
  provider.api('PUT', '/api/Account/SetRules', rules);

export type News = { id: string; kind: string; text: string; link: string; at: string; isRead: boolean };
export const newsOf = async (who: Pick<Person, 'api'>) => (await who.api('GET', '/api/Account/GetNews')).json as News[];
export const newsTexts = async (who: Pick<Person, 'api'>) => (await newsOf(who)).map(({ text }) => text);
export const newsKinds = async (who: Pick<Person, 'api'>) => (await newsOf(who)).map(({ kind }) => kind);
