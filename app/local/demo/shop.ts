import type { Db } from '../../../db/client';
import type { Links } from '../../domain/links.server';
import { shopActor } from '../../domain/login/acting.server';
import type { Actor } from '../../domain/profile/accounts';
import { createService } from '../../domain/services/services.server';
import { invite, join } from '../../domain/shop/joining.server';
import { openShop, setColleague } from '../../domain/shop/shops.server';
import { setDoers } from '../../domain/slots/set-doers.server';
import type { Instant } from '../../domain/time/clock';

/** A teacher with a book of their own, who joins the shop; `price` of its lesson, where theirs is another than the house's. */
type Member = { username: string; actor: Actor; role: 'colleague' | 'desk'; takes: boolean; price?: string };
type Book = { db: Db; links: Links; host: Actor; hostName: string; members: Member[]; now: Instant };

const lesson = {
  name: 'Lesson',
  minutes: 60,
  gap: 0,
  price: '30 €',
  deposit: null,
  description: 'Fado, alone or for two. The instruments are there.',
  seats: 1,
  templateId: null,
  isOffered: true,
  where: 'here' as const,
  link: null,
};

/** Opens the host's music school, with its people and the lesson that all of them give. */
export async function seedShop({ db, links, host, hostName, members, now }: Book): Promise<void> {
  const username = 'casa.do.fado';
  const place = { location: 'Lisbon', address: 'Rua da Bica 40, Lisbon', phone: '+351 21 342 0917' };
  const description = 'Voice and guitar in Bica. Choose a teacher, or whoever is free first.';
  const once = { now, key: 'demo' };
  await openShop(db, host, { username, displayName: 'Casa do Fado', ...place, description }, once);
  for (const { username: member, actor, role, takes } of members) {
    const { key } = await invite(db, links, host, { role }, { now, key: `demo ${member}` });
    await join(db, actor, key, now);
    if (!takes) await setColleague(db, host, { username: member, takes }, now);
  }
  const house = await shopActor(db, host, username);
  const { id } = await createService(db, house, lesson, once);
  const doers = [
    { username: hostName, offered: true },
    ...members.map(({ username: member, price }) => ({ username: member, offered: true, ...(price && { price }) })),
  ];
  await setDoers(db, house, { id, doers }, now);
}
