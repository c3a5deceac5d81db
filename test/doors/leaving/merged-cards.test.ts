import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { agenda, bookFor } from '../../support/appointment-calls';
import { book, type Person, password, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { type Card, cardOf, cardsOf, editCard, mergeCards } from '../../support/people';
import { bringIn, openShop } from '../../support/shops';
import { useServer } from '../../support/use-server';

/* What of a merged card goes with one of its people, and what stays with the other. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const newVisitor = {
  account: (displayName: string) => newConsumer({ displayName }),
  guest: (displayName: string) => newGuest(daybook, { displayName, email: `${displayName}.typed@example.com` }),
};
type Kind = keyof typeof newVisitor;

const leave = async (who: Person) => {
  const left = await who.api('DELETE', '/api/Account/Delete', who.username ? { password } : {});
  expect(left.status).toBe(204);
};
const tablesWith = async (word: string) =>
  Object.entries(await dump(daybook.d1)).flatMap(([name, rows]) =>
    JSON.stringify(rows).toLowerCase().includes(word) ? [name] : [],
  );
const typedFor = (word: string, phone: string) => ({
  note: `Note of ${word}\nand more of ${word}`,
  phone,
  email: `${word}@example.com`,
});
const cardShownTo = async (provider: Person) => {
  const [{ name, note, phone, email } = {} as Card, ...others] = await cardsOf(provider);
  expect(others).toEqual([]);
  return { name, note, phone, email };
};

let worlds = 0;
/** Two people with a booking each, whose cards the provider has filled in, and merged: the first into the second. */
async function mergedCards(first: Kind, second: Kind) {
  worlds += 1;
  const [one, other] = [`quokka${worlds}x`, `wombat${worlds}x`];
  const provider = await newProvider();
  const slots = (await publish(provider, { end: '12:00' })) as [Row, Row, Row, ...Row[]];
  const people = [await newVisitor[first](one), await newVisitor[second](other)] as const;
  const cards: Card[] = [];
  for (const [place, who] of people.entries()) {
    await book(who, slots[place] as Row);
    const card = await cardOf(provider, who.displayName);
    await editCard(provider, card, typedFor(who.displayName, `${place + 1}00`));
    cards.push(card);
  }
  const [from, into] = cards as [Card, Card];
  expect((await mergeCards(provider, from, into)).status).toBe(200);
  return { provider, slots, people, one, other, card: into };
}

const pairs: [Kind, Kind][] = [
  ['account', 'account'],
  ['guest', 'account'],
  ['account', 'guest'],
  ['guest', 'guest'],
];

describe.each(pairs)('the card of a leaving %s, merged into that of a staying %s,', (leaving, staying) => {
  test('loses what was typed on theirs, and keeps the other’s', async () => {
    const { provider, people, one, other } = await mergedCards(leaving, staying);

    await leave(people[0]);

    expect(await cardShownTo(provider)).toEqual({ name: other, ...typedFor(other, '200') });
    expect(await tablesWith(one)).toEqual([]);
  });
});

describe.each(pairs)('the card of a staying %s, merged into that of a leaving %s,', (staying, leaving) => {
  test('has what was typed on it again, and nothing of whoever left', async () => {
    const { provider, people, one, other } = await mergedCards(staying, leaving);

    await leave(people[1]);

    expect(await cardShownTo(provider)).toEqual({ name: one, ...typedFor(one, '100') });
    expect(await tablesWith(other)).toEqual([]);
  });

  test('books with nothing of whoever left', async () => {
    const { provider, slots, people, one, other, card } = await mergedCards(staying, leaving);
    await bookFor(provider, slots[2], { personId: card.id });
    await leave(people[1]);

    const booked = await bookFor(provider, slots[3] as Row, { personId: card.id });

    expect(booked.status).toBe(201);
    expect(booked.json).toMatchObject({ bookerName: one, bookerPhone: '100' });
    const text = JSON.stringify((await agenda(provider)).filter(({ id }) => id === slots[3]?.id));
    expect(text).not.toContain(other);
  });
});

describe('a merged card', () => {
  test('shows both numbers until one of them leaves', async () => {
    const { provider, people, one, other } = await mergedCards('account', 'account');
    const note = [typedFor(other, '200').note, typedFor(one, '100').note];
    expect(await cardShownTo(provider)).toMatchObject({ phone: '200', note: [...note, 'Also: 100'].join('\n') });

    await leave(people[0]);

    expect(await cardShownTo(provider)).toMatchObject({ phone: '200', note: note[0] });
  });

  test('keeps what was typed after the merge, whoever leaves', async () => {
    const { provider, people, one, card } = await mergedCards('account', 'account');
    const later = { note: 'Typed for both', phone: '999', email: 'both@example.com' };
    await editCard(provider, card, later);

    await leave(people[1]);

    expect(await cardShownTo(provider)).toEqual({ name: one, ...later });
  });

  test('loses the leaver’s lines of a note that was changed since', async () => {
    const { provider, people, one, other, card } = await mergedCards('account', 'account');
    const note = `Note of ${other}\nNew line\nNote of ${one}\nand more of ${one}`;
    await editCard(provider, card, { note });

    await leave(people[0]);

    expect(await cardShownTo(provider)).toMatchObject({ note: `Note of ${other}\nNew line` });
  });

  test('doesn’t bring back what the provider has replaced', async () => {
    const { provider, people, card } = await mergedCards('account', 'account');
    await editCard(provider, card, { phone: '', email: '', note: '' });

    await leave(people[0]);

    expect(await cardShownTo(provider)).toMatchObject({ phone: null, email: null, note: null });
  });

  test('of three loses what was typed for the one who leaves', async () => {
    const { provider, slots, people, one, other, card } = await mergedCards('account', 'account');
    const third = await newConsumer({ displayName: 'Third' });
    await book(third, slots[2]);
    const last = await cardOf(provider, 'Third');
    await editCard(provider, last, { note: 'Note of Third' });
    await mergeCards(provider, card, last);

    await leave(people[0]);

    const left = typedFor(other, '200');
    expect(await cardShownTo(provider)).toEqual({ ...left, name: 'Third', note: `Note of Third\n${left.note}` });
    expect(await tablesWith(one)).toEqual([]);
  });

  test('keeps lines with quotes and backslashes as they were typed', async () => {
    const { provider, people, card, other } = await mergedCards('account', 'account');
    const note = 'Says "hi"\n\nC:\\new\\time';
    await editCard(provider, card, { note: `${note}\nNote of ${other}` });

    await leave(people[1]);

    expect(await cardShownTo(provider)).toMatchObject({ note });
  });

  test('is emptied when both have left', async () => {
    const { provider, people, one, other } = await mergedCards('account', 'guest');

    for (const who of people) await leave(who);

    expect(await cardShownTo(provider)).toEqual({ name: 'Former guest', note: null, phone: null, email: null });
    expect(await tablesWith(one)).toEqual([]);
    expect(await tablesWith(other)).toEqual([]);
  });

  test('is in the provider’s data with what was typed on each', async () => {
    const { provider, one } = await mergedCards('account', 'account');

    const own = await provider.api('GET', '/api/Account/Export');

    expect(own.json).toMatchObject({
      mergedCards: expect.arrayContaining([expect.objectContaining(typedFor(one, '100'))]),
    });
  });

  test('is in nobody else’s data', async () => {
    const { people } = await mergedCards('account', 'account');

    const theirs = await people[0].api('GET', '/api/Account/Export');

    expect(theirs.text).not.toContain('Note of');
  });
});

test('a guest who logs in takes what was typed for them to the account, with which it goes', async () => {
  const { provider, people, other } = await mergedCards('account', 'guest');
  const maya = await newConsumer({ displayName: 'Maya' });
  await people[1].api('POST', '/api/Account/Login?join=true', { username: maya.username, password });
  expect((await cardShownTo(provider)).note).toContain(other);

  await leave({ ...maya, api: people[1].api });

  expect(await tablesWith(other)).toEqual([]);
});

test('a card that others share by their address loses the number of the one who leaves', async () => {
  const provider = await newProvider();
  await provider.api('PUT', '/api/Account/SetRules', { askPhone: 'optional' });
  const [first, second] = (await publish(provider, { end: '12:00' })) as [Row, Row];
  const [one, other] = [await newVisitor.guest('numbat'), await newVisitor.guest('numbat')];
  await one.api('PUT', `/api/Appointment/Book?id=${first.id}&phone=123`);
  await book(other, second);
  expect(await cardShownTo(provider)).toMatchObject({ phone: '123' });

  await leave(one);

  expect(await cardShownTo(provider)).toMatchObject({ name: 'numbat', phone: null });
});

test('what a provider booked for a card, and moved to a colleague, keeps its name when the one on the card leaves', async () => {
  const [provider, colleague, dee] = await Promise.all([newProvider(), newProvider(), newVisitor.guest('Dee')]);
  await openShop(provider);
  await bringIn(provider, [colleague]);
  const [first, second, third] = (await publish(provider, { end: '12:00' })) as [Row, Row, Row];
  const [theirs] = (await publish(colleague, { end: '12:00' })) as [Row];
  await book(dee, first);
  const made = (await bookFor(provider, second, { personId: (await cardOf(provider, 'Dee')).id })).json as Row;
  const moveTo = (slot: Row, { id, provider: of }: Row) =>
    provider.api('PUT', `/api/Appointment/Move?of=${of}&id=${id}&to=${slot.id}`);
  const moved = (await moveTo(theirs, made)).json as Row;

  await leave(dee);

  expect(await moveTo(third, moved)).toMatchObject({ status: 200, json: { bookerName: 'Dee' } });
});

test('whom a leaving provider had booked for keeps the name of an appointment that a colleague has by now', async () => {
  const [provider, colleague] = await Promise.all([newProvider(), newProvider()]);
  await openShop(provider);
  await bringIn(provider, [colleague]);
  const [slot] = (await publish(colleague, { end: '12:00' })) as [Row];
  const [theirs] = (await publish(provider, { end: '12:00' })) as [Row];
  const made = (await bookFor(colleague, slot, { displayName: 'Vera', email: 'vera@example.com' })).json as Row;
  const moved = await provider.api(
    'PUT',
    `/api/Appointment/Move?of=${colleague.username}&id=${made.id}&to=${theirs.id}`,
  );
  expect(moved.status).toBe(200);

  await leave(colleague);

  expect(await agenda(provider)).toMatchObject([{ bookerName: 'Vera', bookerEmail: 'vera@example.com' }]);
});
