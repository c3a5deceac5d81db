import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../app/local/root';

const folders = ['app', 'db', 'public', 'migrations'];
const files = ['package.json', 'package-lock.json', 'wrangler.toml', 'vite.config.ts', 'tsconfig.json'];

/** Copies what the product is built from, and more of the checkout. The packages are those of the checkout. */
export async function copyProduct(to: string, ...more: string[]): Promise<void> {
  for (const name of [...folders, ...files, ...more]) await cp(join(root, name), join(to, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(to, 'node_modules'));
}
