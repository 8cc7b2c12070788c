/** For addresses whose content never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * A file of a library that the executable contains, at an address with its version. The executable has it gzipped
 * (`build.ts`), the source tree as it was published.
 */
export async function embeddedFile({ headers }: Request, path: string, type: string): Promise<Response> {
  const bytes = await Bun.file(path).bytes()
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.get('accept-encoding') ?? '')
  return new Response(isPacked && !takesGzip ? Bun.gunzipSync(bytes) : bytes, {
    headers: {
      'content-type': type,
      'cache-control': IMMUTABLE,
      'x-content-type-options': 'nosniff',
      ...(isPacked && { vary: 'accept-encoding' }),
      ...(isPacked && takesGzip && { 'content-encoding': 'gzip' }),
    },
  })
}
