import { hasParts, isInParts } from '../domain/streamed-list';
import { failureOf } from './errors.server';
import { withoutTags } from './json.server';

/**
 * Writes a value as JSON, as `jsonResponse` does, but piece by piece. Lists in parts are written while they are read.
 */
export async function* jsonPieces(value: unknown, space = 0, depth = 0): AsyncGenerator<string> {
  const line = (level: number) => (space > 0 ? `\n${' '.repeat(space * level)}` : '');
  const textOf = (part: unknown, level: number) => {
    const text = withoutTags(JSON.stringify(part, null, space));
    // In indented JSON, line breaks stand only between the parts.
    return space > 0 ? text.replaceAll('\n', line(level)) : text;
  };
  if (isInParts(value)) {
    let before = `[${line(depth + 1)}`;
    for await (const rows of value) {
      let text = '';
      for (const row of rows) {
        text += before;
        before = `,${line(depth + 1)}`;
        if (!hasParts(row)) {
          text += textOf(row, depth + 1);
          continue;
        }
        yield text;
        text = '';
        yield* jsonPieces(row, space, depth + 1);
      }
      yield text;
    }
    yield before.startsWith('[') ? '[]' : `${line(depth)}]`;
  } else if (hasParts(value)) {
    let before = '{';
    for (const [name, part] of Object.entries(value as object)) {
      if (part === undefined) continue;
      yield `${before}${line(depth + 1)}${JSON.stringify(name)}:${space > 0 ? ' ' : ''}`;
      yield* jsonPieces(part, space, depth + 1);
      before = ',';
    }
    yield `${line(depth)}}`;
  } else yield textOf(value, depth);
}

// If the first piece fails, we can still answer with an error. If a later one fails, the transfer breaks off. Over
// HTTP/1.1, workerd may end that as if it were complete; but JSON that isn't closed can't be taken for all of it.
export async function sendPieces(
  pieces: AsyncIterable<string>,
  id: string,
  headers: Record<string, string>,
): Promise<Response> {
  const [encoder, source] = [new TextEncoder(), pieces[Symbol.asyncIterator]()];
  let first: IteratorResult<string> | undefined = await source.next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = first ?? (await source.next());
          first = undefined;
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          failureOf(error, id);
          controller.error(error);
        }
      },
      async cancel() {
        await source.return?.();
      },
    },
    // The stream reads nothing ahead, and nothing at all for a HEAD request.
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}
