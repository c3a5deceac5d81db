import { exportAccount } from '../../domain/leaving/export.server';
import { hasParts } from '../../domain/streamed-list';
import { jsonResponse, jsonType } from '../../http/json.server';
import { fileLoader } from '../../http/page.server';
import { jsonPieces, sendPieces } from '../../http/pieces.server';

const headers = { ...jsonType, 'Content-Disposition': 'attachment; filename="daybook.json"' };

export const loader = fileLoader('member', async ({ db, actor, now, id }) => {
  const all = await exportAccount(db, actor, now);
  return hasParts(all) ? sendPieces(jsonPieces(all, 2), id, headers) : jsonResponse(all, { headers, space: 2 });
});
