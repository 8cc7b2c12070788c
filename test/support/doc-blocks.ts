import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tokens } from 'marked'
import { tokensOf } from '../../src/docs/guide/markdown'

/** One code block of the README or the guide. */
export interface Block {
  /** File and number of the block in it, for messages of failed tests. */
  where: string
  language: string
  /** What follows the language: the file of a recipe, or the command that prints the text. Those have their own tests. */
  about: string | null
  text: string
}

const GUIDE = 'src/docs/guide/pages'
const FILES = [
  'README.md',
  ...readdirSync(GUIDE)
    .sort()
    .map((name) => join(GUIDE, name)),
]

/** Every file of the documentation with its Markdown. */
export const DOCUMENTS = FILES.map((file) => ({ file, markdown: readFileSync(file, 'utf8') }))

/** Every block of code, fenced or indented, in the order of the files. */
export const BLOCKS: readonly Block[] = DOCUMENTS.flatMap(({ file, markdown }) =>
  tokensOf(markdown)
    .filter((token): token is Tokens.Code => token.type === 'code')
    .map((token, index) => {
      const [, language = '', about = null] = /^(\S*)(?: (.+))?$/.exec(token.lang ?? '') ?? []
      return { where: `${file} #${index + 1}`, language, about, text: token.text }
    }),
)

/** Code within sentences. */
export const SPANS = DOCUMENTS.flatMap(({ file, markdown }) =>
  tokensOf(markdown)
    .filter((token): token is Tokens.Codespan => token.type === 'codespan')
    .map((token): { where: string; text: string } => ({ where: file, text: token.text })),
)

export const blocksOf = (language: string): readonly Block[] =>
  BLOCKS.filter((block) => block.language === language && block.about === null)

/** The commands of a shell block, one for each line that is not continued; comments and empty lines are left out. */
export const linesOf = (shell: string): string[] =>
  shell
    .replace(/\\\n/g, ' ')
    .split(/\n(?=\S)/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))

const BASH = Bun.which('bash') ?? 'bash'

/** The words of a command line as the shell passes them, with `variables` set. */
export function wordsOf(line: string, variables: Record<string, string> = {}): string[] {
  const [program = ''] = line.split(' ')
  const script = `${program}() { printf '%s\\0' "$@"; }\n${line}`
  const ran = Bun.spawnSync([BASH, '-c', script], { env: { PATH: '/nowhere', ...variables } })
  if (ran.exitCode !== 0) throw new Error(`${line}: ${ran.stderr}`)
  return ran.stdout.toString().split('\0').slice(0, -1)
}

/** The request that a curl command line makes; `readFile` gives the text of `-d @file`. */
export function toRequest(words: readonly string[], readFile: (name: string) => string): Request {
  const headers = new Headers()
  let body: string | undefined
  let url: string | undefined
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '-s') continue
    if (word === '-H') headers.append(...toHeader(words[++at] ?? ''))
    else if (word === '-d') body = toBody(words[++at] ?? '', readFile)
    else if (word.startsWith('-') || url !== undefined) throw new Error(`curl ${word} is not understood by this test`)
    else url = word
  }
  return new Request(url ?? '', { method: body === undefined ? 'GET' : 'POST', headers, ...(body && { body }) })
}

function toHeader(text: string): [string, string] {
  const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(text) ?? []
  return [name, value]
}

/** Like curl, leaves out the line ends of a file. */
const toBody = (text: string, readFile: (name: string) => string): string =>
  text.startsWith('@') ? readFile(text.slice(1)).replace(/\r?\n/g, '') : text
