import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { chunksModule } from './macros';
import { script } from './refusal';
import { root } from './root';

// Builds what browsers load and what the Worker runs: at once, since the minifier of the one works on a second core. The
// server's part names the client's files, so near its end it waits for them.

const [mode = 'production'] = process.argv.slice(2);

await script(async () => {
  let clientIsBuilt = () => {};
  const client = new Promise<void>((resolve) => {
    clientIsBuilt = resolve;
  });
  const buildPart = (ssr: boolean) =>
    build({
      root,
      mode,
      logLevel: 'error',
      build: { ssr },
      plugins: [
        {
          name: 'after-the-client',
          load: {
            order: 'pre',
            handler: (id) =>
              ssr && (id.endsWith('virtual:remix/server-manifest') || id.endsWith(chunksModule))
                ? client.then(() => null)
                : null,
          },
        },
      ],
    });
  await Promise.all([buildPart(false).then(clientIsBuilt), buildPart(true)]);
  // Vite's lists of what it made: nobody is served those.
  for (const part of ['client', 'server']) rmSync(join(root, 'build', part, '.vite'), { recursive: true, force: true });
});
