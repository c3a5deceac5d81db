import { build } from './build';
import { Refusal, script } from './refusal';

// `npm run build` builds even if nothing has changed.
await script(async () => {
  const failure = await build();
  if (failure !== undefined) throw new Refusal(failure);
});
