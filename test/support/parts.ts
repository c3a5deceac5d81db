import type { PartyWithGuests } from '../../app/domain/parties/large.server';
import type { Invited } from '../../app/domain/parties/parties';
import type { HostedSummary } from '../../app/domain/parties/parties.server';
import { isInParts, type Parts } from '../../app/domain/streamed-list';

/** The parts of a list, one after the other. */
export async function readParts<Row>(parts: Parts<Row>): Promise<Row[][]> {
  const read: Row[][] = [];
  for await (const part of parts) read.push(part);
  return read;
}

/** Lists parties with all that is in parts read. */
export async function readWhole(list: Promise<HostedSummary[] | Parts<PartyWithGuests>>): Promise<HostedSummary[]> {
  const found = await list;
  if (!isInParts(found)) return found;
  const whole: HostedSummary[] = [];
  for (const party of (await readParts(found)).flat()) {
    whole.push({ ...party, invitations: await guestsOf(party) });
  }
  return whole;
}

/** The guests of a party; each has the answers that are in the list of answers, in turn. */
async function guestsOf({ invitations }: PartyWithGuests): Promise<Invited[]> {
  if (Array.isArray(invitations)) return invitations;
  const guests = (await readParts(invitations.guests)).flat();
  const answers = (await readParts(invitations.answers)).flat();
  return guests.map((guest, place) => ({ ...guest, answers: answers[place] ?? [] }));
}
