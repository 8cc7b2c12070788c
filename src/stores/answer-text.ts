/** The largest answers of the stores, pages of a history, have about 2 MB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

/** Is read as an answer that is not JSON. */
const TOO_LARGE = 'The answer is larger than 8 MiB'

/** The text of a store's answer. What is sent beyond 8 MiB is not read: then the text is none that can be decoded. */
export async function answerText(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > MAX_ANSWER_BYTES) return TOO_LARGE // Leaving the loop cancels the body.
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

/** `fetch` for the stores' libraries, which read every answer to its end. `read` may replace the text of an answer. */
export function boundedFetch(
  inner: typeof fetch,
  read = (text: string, _status: number): string => text,
): typeof fetch {
  const call = async (...[input, init]: Parameters<typeof fetch>) => {
    const response = await inner(input, init)
    const { status, statusText, headers } = response
    const text = read(await answerText(response), status)
    return new Response(text === '' ? null : text, { status, statusText, headers })
  }
  return Object.assign(call, { preconnect: () => {} })
}

/** `fetch` of this moment, for libraries that keep the function they are given. */
export const presentFetch: typeof fetch = Object.assign(
  (...[input, init]: Parameters<typeof fetch>) => fetch(input, init),
  { preconnect: () => {} },
)
