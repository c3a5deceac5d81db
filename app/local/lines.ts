type Level = 'info' | 'warn' | 'error' | (string & {});

function parsed(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const lineOf = (text: string, level: Level): string =>
  process.env.LOG === 'on'
    ? JSON.stringify({ time: new Date().toISOString(), level, ...(parsed(text) ?? { message: text }) })
    : text;

export function print(text: string, level: Level = 'info'): void {
  const stream = level === 'error' || level === 'warn' ? process.stderr : process.stdout;
  stream.write(`${lineOf(text, level)}\n`);
}

// Writing output fails if it goes to a file on a full disk. The server need not end because of that.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  });
}

export const say = (text: string): void => print(text);
