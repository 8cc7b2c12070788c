const ASCII = /^[\0-\x7f]*$/

/**
 * The simple case folding of Unicode: texts that differ in case only have the same folded text. It never changes the
 * number of characters, so that `ß` stays itself and does not equal `ss`.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) folded += foldCharacter(character)
  return folded
}

/** Characters whose upper and lower forms do not lead to their folding. */
const OWN = new Map([
  ['\u0131', '\u0131'], // The dotless i is a letter of its own.
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
])

function foldCharacter(character: string): string {
  const own = OWN.get(character)
  if (own !== undefined) return own
  const upper = single(character.toUpperCase()) ?? character
  return single(upper.toLowerCase()) ?? upper
}

/** Null for a text of more than one character, such as the upper form of `ß`. */
function single(text: string): string | null {
  const size = (text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1
  return text.length === size ? text : null
}
