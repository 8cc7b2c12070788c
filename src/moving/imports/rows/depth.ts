const MAX_DEPTH = 64

const [QUOTE, BACKSLASH] = [34, 92]
const OPENING = new Set([91, 123])
const CLOSING = new Set([93, 125])

/**
 * Whether a text of JSON nests more deeply than anything that is meant. What nests a hundred thousand times is parsed in
 * no time, but writing it again takes a minute and the stack.
 */
export function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false
  let [depth, isQuoted] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted && code === BACKSLASH) at++
    else if (code === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && OPENING.has(code) && ++depth > MAX_DEPTH) return true
    else if (!isQuoted && CLOSING.has(code)) depth--
  }
  return false
}
