import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const TEXT = join(import.meta.dir, '../../src/console/text')

/** The files of a language of the console, without their ending. */
export const areasOf = (language: string): string[] =>
  readdirSync(join(TEXT, language))
    .map((file) => file.replace('.ts', ''))
    .sort()

/** The texts of one file by their place. */
export const textsOf = async (language: string, area: string): Promise<Map<string, string>> =>
  new Map(textsIn((await import(join(TEXT, language, `${area}.ts`))).texts))

/** Every text of a language. */
export async function wordsOf(language: string): Promise<Set<string>> {
  const areas = await Promise.all(areasOf(language).map((area) => textsOf(language, area)))
  return new Set(areas.flatMap((texts) => [...texts.values()]))
}

/** A text that takes arguments is made with numbers, or with words where it needs them. */
function textsIn(value: unknown, place = ''): [place: string, text: string][] {
  if (typeof value === 'string') return [[place, value]]
  if (typeof value === 'function') return textsIn(madeBy(value as Maker), `${place}()`)
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, below]) => textsIn(below, place === '' ? name : `${place}.${name}`))
}

type Maker = (...values: unknown[]) => unknown

function madeBy(maker: Maker): unknown {
  const tried = [7, '7', ['7']].map((value) => {
    try {
      return maker(...Array.from({ length: maker.length }, () => value))
    } catch {
      return null
    }
  })
  return tried.find((text) => typeof text === 'string')
}

/** Whether a text has a word, and not only numbers and signs. */
export const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text)
