import { build } from './build';
import { Refusal, script } from './refusal';

/* `npm run build`: builds the product, whether or not there is a build. */
await script(async () => {
  const failure = await build();
  if (failure !== undefined) throw new Refusal(failure);
});
