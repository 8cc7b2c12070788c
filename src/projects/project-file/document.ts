import type { Document, LineCounter, ParsedNode } from 'yaml'
import { inPieces } from '../../base/lib/in-pieces'
import { yaml } from './yaml'

/** A text that was read as YAML, and where its lines begin. */
export interface YamlText {
  document: Document.Parsed<ParsedNode>
  lines: LineCounter
}

// The builder of the tree finds repeated keys, because it compares their text: for YAML, `1` and `"1"` are different keys.
const OPTIONS = { prettyErrors: false, uniqueKeys: false } as const

export function readYaml(text: string): YamlText {
  const { LineCounter, parseDocument } = yaml()
  const lines = new LineCounter()
  return { document: parseDocument(text, { ...OPTIONS, lineCounter: lines }), lines }
}

/** The same result. The event loop serves others meanwhile, but for the last step, about a third of the work. */
export async function readYamlInPieces(text: string): Promise<YamlText> {
  const { LineCounter, Lexer, Parser } = yaml()
  const lines = new LineCounter()
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: Token[] = []
  await inPieces(new Lexer().lex(text), (lexeme) => {
    tokens.push(...parser.next(lexeme))
    return true
  })
  tokens.push(...parser.end())
  return { document: compose(tokens, text.length), lines }
}

type Token = import('yaml').CST.Token

/** As `parseDocument` of the library composes them. */
function compose(tokens: readonly Token[], length: number): YamlText['document'] {
  const { Composer, YAMLParseError } = yaml()
  const [document, second] = new Composer<ParsedNode>(OPTIONS).compose(tokens, true, length)
  if (!document) throw new Error('the library composes a document of every text')
  if (second)
    document.errors.push(
      new YAMLParseError([...second.range].slice(0, 2) as [number, number], 'MULTIPLE_DOCS', SEVERAL),
    )
  return document
}

const SEVERAL = 'Source contains multiple documents; please use YAML.parseAllDocuments()'
