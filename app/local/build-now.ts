import { build } from './build';
import { say } from './lines';
import { Refusal, script } from './refusal';

// `npm run build` builds even if nothing has changed.
await script(async () => {
  const failure = await build('production', say);
  if (failure !== undefined) throw new Refusal(failure);
});
