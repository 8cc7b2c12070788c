import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Token, Tokens } from 'marked'
import { tokensOf } from '../../src/docs/guide/markdown'

/** The page whose blocks are tried. */
export const RECIPES = 'src/docs/guide/pages/add.md'

/** One file that a recipe makes or changes. */
export interface Change {
  /** Page and path, for messages. */
  where: string
  path: string
  /** `diff`: lines to find in a file, with lines to add and to take away. Anything else: the whole text of a new file. */
  language: string
  text: string
}

/** What a command prints, as the page says. */
export interface Output {
  command: string
  text: string
}

/** One section of a page: its steps in their order. */
export interface Recipe {
  title: string
  steps: (Change | Output)[]
}

export const isOutput = (step: Change | Output): step is Output => 'command' in step

/** The sections of a page that have blocks with a path. */
export function recipesOf(file: string): Recipe[] {
  const recipes: Recipe[] = []
  for (const token of tokensOf(readFileSync(file, 'utf8'))) {
    if (isHeading(token)) recipes.push({ title: token.text, steps: [] })
    if (token.type === 'code') addBlock(recipes.at(-1), token as Tokens.Code, file)
  }
  return recipes.filter(({ steps }) => steps.length > 0)
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2

function addBlock(recipe: Recipe | undefined, { lang = '', text }: Tokens.Code, file: string): void {
  const [, language = '', rest] = /^(\w+)(?: (.+))?$/.exec(lang) ?? []
  if (!recipe || rest === undefined) return
  if (language === 'text') recipe.steps.push({ command: rest, text })
  else recipe.steps.push({ where: `${file}: ${rest}`, path: rest, language, text })
}

/** The text of a file after a change. Throws when lines to find are not there, or are there twice. */
export function changed({ where, language, text }: Change, before: string | null): string {
  if (language !== 'diff') {
    if (before !== null) throw new Error(`${where} is there already`)
    return `${text}\n`
  }
  if (before === null) throw new Error(`${where} is not there`)
  return text
    .split(/^@@$\n?/m)
    .reduce((lines, hunk) => withHunk(where, lines, hunk), before.split('\n'))
    .join('\n')
}

function withHunk(where: string, lines: readonly string[], hunk: string): string[] {
  const steps = hunk.split('\n').filter((line) => line !== '')
  const found = steps.filter((step) => !step.startsWith('+')).map((step) => step.slice(1))
  const places = lines.keys().filter((at) => found.every((wanted, index) => isLine(lines[at + index], wanted)))
  const [at, ...more] = places
  if (at === undefined || more.length > 0)
    throw new Error(
      `${where}: these lines are there ${at === undefined ? 'not at all' : 'twice'}; a change moved the place that the recipe in add.md shows, so show it there as it is now:\n${found.join('\n')}`,
    )
  return [
    ...lines.slice(0, at),
    ...result(steps, lines.slice(at, at + found.length)),
    ...lines.slice(at + found.length),
  ]
}

/** A line that ends in `…` stands for every line that begins as it does. */
const isLine = (line: string | undefined, wanted: string): boolean =>
  wanted.endsWith('…') ? (line ?? '').startsWith(wanted.slice(0, -1)) : line === wanted

function result(steps: readonly string[], own: readonly string[]): string[] {
  let at = 0
  return steps.flatMap((step) => {
    if (step.startsWith('+')) return [step.slice(1)]
    const line = own[at++] ?? ''
    return step.startsWith('-') ? [] : [line]
  })
}

/** Makes the change in a copy of the tree. */
export function apply(root: string, change: Change): void {
  const file = join(root, change.path)
  const before = readOrNull(file)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, changed(change, before))
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
