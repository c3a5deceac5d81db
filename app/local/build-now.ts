import { build } from './build';
import { say } from './lines';
import { Refusal, script } from './refusal';

// `npm run build` builds even if nothing has changed; `npm run build -- quick` for this machine alone.
const [mode] = process.argv.slice(2);

await script(async () => {
  const failure = await build(mode === 'quick' ? mode : 'production', say);
  if (failure !== undefined) throw new Refusal(failure);
});
