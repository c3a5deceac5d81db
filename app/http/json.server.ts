export const jsonType = { 'Content-Type': 'application/json; charset=utf-8' };

/** Escapes each `<`, so that no browser finds a tag in the JSON, even if it ignores the content type. */
export const withoutTags = (text: string): string => text.replaceAll('<', '\\u003c');

/** What stands for a value under its name: JSON.stringify asks for each. */
export type Shown = (name: string, value: unknown) => unknown;

export const jsonResponse = (
  value: unknown,
  {
    status,
    headers,
    space,
    shown,
  }: { status?: number; headers?: Record<string, string>; space?: number; shown?: Shown | undefined } = {},
): Response =>
  new Response(withoutTags(JSON.stringify(value, shown, space)), { status, headers: { ...jsonType, ...headers } });

// Files are not screens, and escape their own texts.
/** @param messagesFor what stands in the data under `messages`, unless it is null */
export async function withoutTagsInData(
  response: Response,
  messagesFor: (data: string) => string | null,
): Promise<Response> {
  const { headers } = response;
  const isData = headers.get('Content-Type')?.startsWith('application/json') && !headers.has('Content-Disposition');
  if (!isData) return response;
  const text = await response.text();
  const messages = messagesFor(text);
  const data =
    messages !== null && text.startsWith('{"') ? `{"messages":${JSON.stringify(messages)},${text.slice(1)}` : text;
  return new Response(withoutTags(data), response);
}
