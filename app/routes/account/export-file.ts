import { exportAccount } from '../../domain/accounts/export.server';
import { hasParts } from '../../domain/parts';
import { answerFile } from '../../http/page.server';
import { jsonPieces, sendPieces } from '../../http/pieces.server';

const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Disposition': 'attachment; filename="daybook.json"',
};

/** Everything about the reader, as one file. */
export const loader = answerFile('member', async ({ db, actor, now, id }) => {
  const all = await exportAccount(db, actor, now);
  return hasParts(all)
    ? sendPieces(jsonPieces(all, 2), id, headers)
    : new Response(JSON.stringify(all, null, 2), { headers });
});
