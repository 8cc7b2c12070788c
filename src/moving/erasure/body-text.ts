const TOKEN = /[A-Za-z0-9+/_-]{16,}={0,2}/g
const MOST_LAYERS = 4

/**
 * Whether a stored body names one of the texts. Stores pack their messages into base64, some of them twice, so what can
 * be unpacked is unpacked. A text counts only as a whole value of JSON: an id must not be found within a longer one.
 */
export function isAbout(body: string, needles: readonly string[]): boolean {
  const quoted = needles.map((text) => JSON.stringify(text))
  return layersOf(body).some((text) => quoted.some((needle) => text.includes(needle)))
}

function layersOf(body: string): string[] {
  const layers = [unescaped(body)]
  for (let from = 0, depth = 1; depth < MOST_LAYERS; depth++) {
    const found = layers.slice(from).flatMap((text) => (text.match(TOKEN) ?? []).flatMap(unpack))
    from = layers.length
    layers.push(...found)
    if (found.length === 0) break
  }
  return layers
}

/** JSON within JSON has its quotes escaped. */
const unescaped = (text: string): string => text.replaceAll('\\"', '"')

function unpack(token: string): string[] {
  const text = Buffer.from(token, 'base64').toString('utf8')
  const isJson = /^\s*[[{]/.test(text) && !text.includes('\ufffd')
  return isJson ? [unescaped(text)] : []
}
