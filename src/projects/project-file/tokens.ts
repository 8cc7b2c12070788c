import { inPieces } from '../../base/lib/in-pieces'
import { yaml } from './yaml'

/**
 * The number of YAML tokens in a text. Counting ends at `most` + 1, so a text of any size costs a bounded time: about
 * 1 µs for each token. Reading a text into nodes costs about 4 µs for each of its tokens.
 */
export function countTokens(text: string, most: number): number {
  const { Lexer } = yaml()
  const tokens = new Lexer().lex(text)
  let count = 0
  while (count <= most && !tokens.next().done) count++
  return count
}

/** The same number. The event loop serves others meanwhile. */
export async function countTokensInPieces(text: string, most: number): Promise<number> {
  const { Lexer } = yaml()
  let count = 0
  await inPieces(new Lexer().lex(text), () => ++count <= most)
  return count
}
