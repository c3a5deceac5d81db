import { exportAccount } from '../../domain/accounts/export.server';
import { answerFile } from '../../http/page.server';

/** Everything about the reader, as one file. */
export const loader = answerFile('member', async ({ db, actor, now }) => {
  const text = JSON.stringify(await exportAccount(db, actor, now), null, 2);
  return new Response(text, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': 'attachment; filename="daybook.json"',
    },
  });
});
